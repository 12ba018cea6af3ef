# An application as `rails new` and its generators make it.
require "json"
require "fileutils"
require "open3"
require "tmpdir"
require_relative "tap"

database("ulid_ruby_rails")
HERE = Dir.mktmpdir
at_exit { FileUtils.rm_rf(HERE) }
ENV.update("HOME" => HERE, "RAILS_ENV" => "test", "GEM_HOME" => "#{HERE}/gems", "GEM_PATH" => Gem.path.join(":"),
           "DATABASE_URL" => "postgres:///#{ENV['PGDATABASE']}")

def works(*command)
  output, status = Open3.capture2e(*command)
  equal command.join(" "), status.success? || output, true
  output
end

# The repository that the Gemfile names.
FileUtils.mkdir_p("#{HERE}/repository/clients/ruby")
Dir.chdir("#{HERE}/repository")
FileUtils.cp_r(%w[LICENSE README.md lib pgulid.gemspec].map { |name| "#{__dir__}/../#{name}" }, "clients/ruby")
works "git", "init", "-q"
works "git", "add", "."
works "git", "-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "-qm", "A gem"

system("rails", "--version")
Dir.chdir(HERE)
works "rails", "new", "rails_chat", "-d", "postgresql", "--minimal", "--skip-bundle"
Dir.chdir("rails_chat")
gem = <<~RUBY
  gem "pgulid", git: "https://example.org/ulid.git", glob: "clients/ruby/*.gemspec"
RUBY
File.write("Gemfile", %(gem "rails"\ngem "pg"\n#{gem.sub(/git: ".*?"/, %(git: "file://#{HERE}/repository"))}\n))
works "bundle", "install", "--local"
application = File.read("config/application.rb")
# In 7 and later the assets belong to a gem that the Gemfile above does not name.
assets = "config/initializers/assets.rb"
File.delete(assets) if File.exist?(assets) && !application.include?("sprockets/railtie")
CONFIG = <<~RUBY.freeze
  config.generators { |g| g.orm :active_record, primary_key_type: :ulid }
RUBY
File.write("config/application.rb", application.sub(/^    config\.load_defaults .*\n/) { "#{$&}    #{CONFIG}" })
system("psql", "-X", "-q", "-c", "DROP EXTENSION ulid")
works "bin/rails", "generate", "scaffold", "message", "body:text", "read:ulid"
output, = Open3.capture2e("bin/rails", "db:migrate")
fails 'type "ulid" does not exist', output
migration = Dir["db/migrate/*_create_messages.rb"].first
File.write(migration, File.read(migration).sub("def change\n", "def change\n    enable_extension \"ulid\"\n"))
works "bin/rails", "generate", "scaffold", "reply", "body:text", "message:references"
written = Dir["db/migrate/*"].map { |file| File.read(file) }.join
found = ["id: :ulid", /t\.references :message,.* type: :ulid/].map { |type| written.scan(type).size }
equal "the generators write the type", found, [2, 1]
works "bin/rails", "db:migrate"
schema = File.read("db/schema.rb")
tables = schema.scan(/create_table "(\w+)", id: :ulid, default: -> \{ "gen_ulid\(\)" \}/)
equal "schema.rb", tables, [["messages"], ["replies"]]
model = File.read("app/models/message.rb")
File.write("app/models/message.rb", model.sub("Record\n", "Record\n  has_many :replies, dependent: :destroy\n"))
# The tests that the generator wrote, with the fixtures that it wrote.
output, status = Open3.capture2e("bin/rails", "test")
equal "bin/rails test", status.success? && output[/\d+ failures, \d+ errors/] || output, "0 failures, 0 errors"

# Requests.
system("psql", "-X", "-q", "-c", "DELETE FROM replies", "-c", "DELETE FROM messages",
       "-c", "INSERT INTO messages VALUES ('#{IDS[1]}', 'first', NULL, now(), now())")
File.write("program.rb", <<~PROGRAM)
  require "json"
  Rails.application.env_config.merge!("action_dispatch.show_exceptions" => Rails.version > "7.1" ? :all : true,
                                      "action_dispatch.show_detailed_exceptions" => false)
  http = ActionDispatch::Integration::Session.new(Rails.application)
  http.host! "localhost"
  reply = ->(id) { http.post("/replies", params: { reply: { body: "x", message_id: id } }) }
  puts "RESULT " + [
    ["#{IDS[1]}", "#{IDS[1].downcase}", "#{UUID}"].map { |id| http.get("/messages/\#{id}") },
    ["nope", "U" * 26, "8" + "0" * 25, "5", "0" * 27, "0" * 26, "%20", "#{UUID[0..-2]}"]
      .map { |id| http.get("/messages/\#{id}") },
    [reply["#{IDS[1].downcase}"], Reply.where(message_id: "#{IDS[1]}").count, [200, 422].include?(reply["nope"])],
  ].to_json
PROGRAM
output, = Open3.capture2e("bin/rails", "runner", "program.rb")
equal "requests", (JSON.parse(output[/^RESULT (.*)/, 1]) rescue output), [[200] * 3, [404] * 8, [302, 1, true]]
