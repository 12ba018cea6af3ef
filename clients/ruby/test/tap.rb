# Prints TAP, one line per test, and holds what the tests share.
require "pg"
$LOAD_PATH.unshift File.expand_path("../lib", __dir__)

NOON = Time.utc(2024, 5, 1, 12)
HOUR = 3600
# Noon and one and two hours later.
IDS = %w[01HWT0D7G004HMASW9NF6YY081 01HWT3V34004HMASW9NF6YY0G2 01HWT78YR004HMASW9NF6YY0R3].freeze
UUID = "018f343d-8c80-0123-4567-89abcdef0202".freeze # the bytes of the second
$stdout.sync = true
$tests = 0
at_exit { puts "1..#{$tests}" unless $! }

# A database of the test's own, on the server that PGHOST and the like name. It is dropped at the end.
def database(name)
  server = PG.connect(dbname: ENV.fetch("PGDATABASE", "postgres"))
  server.exec("SET client_min_messages = error")
  server.exec("DROP DATABASE IF EXISTS #{name} WITH (FORCE)")
  server.exec("CREATE DATABASE #{name}")
  at_exit { server.exec("DROP DATABASE #{name} WITH (FORCE)") }
  ENV["PGDATABASE"] = name
  PG.connect.exec("CREATE EXTENSION ulid")
rescue PG::Error => e
  puts "Bail out! Name a server with the extension ulid in PGHOST and the like: #{e.message.lines.first}"
  exit!(1)
end

def equal(name, got, expected)
  $tests += 1
  return puts "ok - #{name}" if got == expected

  puts "not ok - #{name}", "# got #{got.inspect}", "# expected #{expected.inspect}"
end

# The text, or the error that the block raises, has this message.
def fails(message, text = nil)
  text ||= begin
    "no error: #{yield.inspect}"
  rescue StandardError => e
    e.message
  end
  equal "fails: #{message}", text.include?(message) ? message : text, message
end

# The block answers to the texts of ids.csv as the server does; nil stands for an error.
def reads(name)
  lines = File.readlines("#{__dir__}/ids.csv", chomp: true, encoding: "UTF-8")
  cases = lines.map { |line| line.gsub('\n', "\n").split(",") }
  wrong = cases.filter_map do |text, expected|
    got = yield text
    [text, got] unless got == (expected unless expected.size == 5)
  end
  equal "#{name} reads what the server reads", wrong, []
end
