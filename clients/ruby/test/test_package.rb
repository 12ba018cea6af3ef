# The gem, built and installed in a place of its own.
require "fileutils"
require "open3"
require "tmpdir"
require_relative "tap"

def run(*command, **options)
  output, status = Open3.capture2e(*command, **options)
  status.success? ? output : "failed: #{output}"
end

Dir.mktmpdir do |directory|
  gem = "#{directory}/pgulid.gem"
  built = run("gem", "build", "pgulid.gemspec", "-o", gem, chdir: File.dirname(__dir__))
  equal "gem build has no warning", built[/failed.*|WARNING.*/m], nil
  files = `tar -xOf #{gem} data.tar.gz | tar -tz`.split.sort
  equal "the gem has the code, the license and the README", files,
        %w[LICENSE README.md lib/pgulid.rb lib/pgulid/active_record.rb]
  home = { "GEM_HOME" => "#{directory}/home", "GEM_PATH" => Gem.path.join(":") }
  equal "gem install", run(home, "gem", "install", "--local", gem)[/failed.*/m], nil
  uuid = "018f343d-8c80-0123-4567-89abcdef0202"
  %w[pgulid pgulid/active_record].each do |name|
    equal "require #{name}", run(home, "ruby", "-r#{name}", "-e", "print Pgulid.parse('#{uuid}')"), IDS[1]
  end
  specification = Gem::Specification.load("#{__dir__}/../pgulid.gemspec")
  needed = specification.dependencies.find { |dependency| dependency.name == "activerecord" }
  fit = %w[7.1.5 7.2.0].map { |version| needed.match?("activerecord", version) }
  equal "Rails 7.1 is too old, 7.2 is not", fit, [false, true]
end
