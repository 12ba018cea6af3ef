# An application as `rails new` and its generators make it, by the page: the first hour, and the move from uuid.
require "open3"
require "./tap"

URL = 'DATABASE_URL="postgres:///$PGDATABASE?host=$PGHOST&user=$PGUSER" '.freeze
ENV.update("HOME" => FILES, "RAILS_ENV" => "test", "DATABASE_URL" => "postgres:///#{ENV['PGDATABASE']}?host=#{ENV['PGHOST']}&user=#{ENV['PGUSER']}")

def run(*command)
  Open3.capture2e(*command)
end

def works(name, *command)
  output, status = run(*command)
  equal name, status.success? || output, true
  output
end

def sql(*statements)
  run("psql", "-X", "-q", "-A", "-t", *statements.flat_map { |statement| ["-c", statement] })[0]
end

_, status = run("rails", "--version")
unless status.success?
  puts "1..0 # SKIP Rails is not here"
  exit
end
works "rails new", "rails", "new", "chat", "-d", "postgresql", "--minimal", "--skip-bundle"
Dir.chdir("chat")
# The gems that Debian has, and the line that the package's README gives.
line = File.read("#{ENV['PAGES']}/../../clients/activerecord/README.md")[/^gem .*/]
equal "the README's line for the Gemfile", line.match?(/path: "/), true
File.write("Gemfile", %(gem "rails"\ngem "pg"\n#{line.sub(/path: ".*?"/, %(path: "#{ENV['PAGES']}/../../clients/activerecord"))}\n))
application = File.read("config/application.rb")
# From 7 on the assets are a gem's, which the Gemfile above does not name.
File.delete("config/initializers/assets.rb") if File.exist?("config/initializers/assets.rb") && !application.include?("sprockets/railtie")
File.write("config/application.rb", application.sub(/^    config\.load_defaults .*\n/) { "#{$&}    #{File.read("#{FILES}/rails_application.rb")}" })
sql "DROP TABLE message", "DROP EXTENSION ulid"
works "a scaffold", "bin/rails", "generate", "scaffold", "message", "body:text", "read:ulid"
output, status = run("bin/rails", "db:migrate")
equal "without the extension, as the page says",
  [status.success?, output.include?('type "ulid" does not exist')], [false, true]
migration = Dir["db/migrate/*_create_messages.rb"].first
File.write(migration, File.read(migration).sub("def change\n", "def change\n    enable_extension \"ulid\"\n"))
works "another", "bin/rails", "generate", "scaffold", "reply", "body:text", "message:references"
written = Dir["db/migrate/*"].map { |file| File.read(file) }.join
equal "the generators write the type", [written.scan("id: :ulid").size, written.scan(/t\.references :message,.* type: :ulid/).size], [2, 1]
works "db:migrate", "bin/rails", "db:migrate"
schema = File.read("db/schema.rb")
equal "schema.rb has the tables", schema.scan(/create_table "(\w+)", id: :ulid, default: -> \{ "gen_ulid\(\)" \}/), [["messages"], ["replies"]]
works "db:migrate again", "bin/rails", "db:migrate"
works "db:schema:dump", "bin/rails", "db:schema:dump"
equal "the same schema.rb", File.read("db/schema.rb"), schema
goes_on = "#{URL} bin/rails db:migrate >&2; #{URL} bin/rails runner 'one = Message.create!; puts Reply.create!(message_id: one.id.downcase).message == one'"
{ "schema.rb" => "", "structure.sql" => "export SCHEMA_FORMAT=sql; bin/rails db:schema:dump;" }.each do |name, dump|
  equal "restored from #{name}", restored("#{dump} #{URL} bin/rails db:schema:load", goes_on), "same\ntrue\n"
end
sql "INSERT INTO messages VALUES ('#{IDS[0]}', 'first', NULL, now(), now())"
equal "restored by pg_dump", restored("pg_dump $FROM | psql -q -v ON_ERROR_STOP=1", goes_on), "same\ntrue\n"
equal "and again the same schema.rb", File.read("db/schema.rb"), schema

# A program inside the application prints what it finds.
def inside(program)
  File.write("program.rb", "require 'json'\n#{program}")
  output, = run("bin/rails", "runner", "program.rb")
  JSON.parse(output[/^RESULT (.*)/, 1])
rescue StandardError
  output
end
require "json"

equal "requests: found, no ULID, no row, a form", inside(<<~PROGRAM), [[200, 200, 200], [404] * 9, [302, 1], [302, "#{IDS[1]}"], [302, nil], true]
  Rails.application.env_config.merge!("action_dispatch.show_exceptions" => Rails.version > "7.1" ? :all : true, "action_dispatch.show_detailed_exceptions" => false)
  http = ActionDispatch::Integration::Session.new(Rails.application)
  http.host! "localhost"
  reply = ->(id) { http.post("/replies", params: { reply: { body: "x", message_id: id } }) }
  post = ->(read) { [http.post("/messages", params: { message: { body: "x", read: read } }), Message.last.read] }
  puts "RESULT " + [
    ["#{IDS[0]}", "#{IDS[0].downcase}", "018f3406-9e00-0123-4567-89abcdef0101"].map { |id| http.get("/messages/\#{id}") },
    ["nope", "U" * 26, "Z" * 26, "8" + "0" * 25, "5", "0" * 27, "0" * 26, "%20", "018f3406-9e00-0123-4567-89abcdef010"].map { |id| http.get("/messages/\#{id}") },
    [reply["#{IDS[0].downcase}"], Reply.where(message_id: "#{IDS[0]}").count],
    post["#{IDS[1].downcase}"], post[""], [200, 422].include?(reply["nope"])].to_json
PROGRAM

# An application of uuids. One process goes through all of the move, and another starts after each step.
sql <<~SQL
  CREATE TABLE customers (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text);
  CREATE TABLE orders (id bigserial PRIMARY KEY, customer_id uuid NOT NULL REFERENCES customers, record_type text, record_id uuid, others uuid[]);
SQL
File.write("app/models/customer.rb", <<~RUBY)
  class Customer < ApplicationRecord
    has_many :orders
    has_many :records, as: :record, class_name: "Order"
  end
RUBY
File.write("app/models/order.rb", <<~RUBY)
  class Order < ApplicationRecord
    belongs_to :customer
    belongs_to :record, polymorphic: true
  end
RUBY
WORK = <<~PROGRAM
  def work
    customer = Customer.create!(name: "new")
    [customer, Customer.create!(name: "parent")].each { |record| Order.create!(customer: customer, record: record, others: [customer.id]) }
    customer.update!(name: "changed")
    again = Customer.includes(:orders, :records).find(customer.id)
    wrong = []
    wrong << "not itself: \#{again.id} \#{customer.id}" unless again == customer && again.name == "changed" && again.id == customer.id
    wrong << "orders" unless again.orders.map(&:customer_id) == [customer.id] * 2 && again.orders.includes(:record).map { |order| order.record.name }.sort == %w[changed parent]
    wrong << "records" unless again.records.size == 1
    wrong << "arrays" unless again.orders.all? { |order| order.others == [customer.id] }
    Customer.includes(:orders).each { |c| wrong << "none of \#{c.id}" unless c.name == "parent" || (c.orders.size == 2 && c.orders.all? { |order| order.customer == c }) }
    wrong << "signed" unless Customer.find_signed!(customer.signed_id) == customer
    wrong << "SQL" unless Customer.where("id = ?", customer.id).count == 1 && Customer.where(id: [customer.id]).pluck(:id) == [customer.id]
    wrong << "SQL of one's own" unless Customer.connection.select_rows("SELECT id, ARRAY[id] FROM customers WHERE id = '\#{customer.id}'") == [[customer.id, "{\#{customer.id}}"]]
    wrong << "an array of ids" unless Customer.where(id: customer.id).pluck(Arel.sql("array_agg(id)")) == [[customer.id]]
    wrong << "insert_all" unless Customer.insert_all([{ name: "parent" }]).rows.flatten.map(&:length) == [customer.id.length]
    wrong << "changed by reading" if [again, *again.orders].each(&:attributes).any?(&:changed?)
    wrong << "nulls" if Order.where(record_id: nil).or(Order.where("others = '{NULL}'")).exists?
    [wrong.uniq, customer.id.length]
  rescue StandardError => error
    [error.message, error.backtrace.first]
  end
PROGRAM
TYPES = "ALTER TABLE customers ALTER id TYPE ulid".freeze
REST = "ALTER TABLE orders ALTER customer_id TYPE ulid, ALTER record_id TYPE ulid, ALTER others TYPE ulid[]".freeze
START = "UlidActiveRecord.as_uuid = true\n#{WORK}\n".freeze
PRINT = 'puts "RESULT " + work.to_json'.freeze

equal "before", inside("#{START}#{PRINT}"), [[], 36]
works "1: the migration", "bin/rails", "generate", "migration", "DefaultUlid"
migration = Dir["db/migrate/*_default_ulid.rb"].first
change = PAGES[/change_column_default :customers.*?(?=`)/]
File.write(migration, File.read(migration).sub("def change\n", "def change\n    #{change}\n"))
works "1: migrated", "bin/rails", "db:migrate"
equal "1: the default", sql("SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'customers'::regclass"), "gen_ulid()\n"
# An untyped UUID is read by the type ulid, of a server that has it so.
reads_both = sql("SELECT '018f3406-9e00-0123-4567-89abcdef0101'::ulid").start_with?(IDS[0])
puts "# an untyped UUID is not read by the type ulid: no process of step 2 works in step 3" unless reads_both
alter = ->(*statements) { statements.map { |statement| "system('psql', '-X', '-q', '-c', #{statement.inspect})" }.join("\n") }
equal "one process through the move", inside(<<~PROGRAM), [[[], 36]] * 4 if reads_both
  #{START}
  results = [work]
  #{alter[TYPES]}
  results << work
  #{alter[REST]}
  results << work
  #{alter[REST.gsub('ulid', 'uuid'), TYPES.sub('ulid', 'uuid')]}
  results << work
  puts "RESULT " + results.to_json
PROGRAM
equal "2: uuid", inside("#{START}#{PRINT}"), [[], 36]
sql TYPES
equal "3: the key alone", inside("#{START}#{PRINT}"), [[], 36] if reads_both
sql REST
equal "3: ulid", inside("#{START}#{PRINT}"), [[], 36] if reads_both
equal "3: over a connection that is made anew", inside("#{START}Customer.connection.disconnect!\nCustomer.connection.verify!\n#{PRINT}"), [[], 36] if reads_both
equal "4: the clients show ULIDs", inside("#{WORK}#{PRINT}"), [[], 26]
id = sql("SELECT id::uuid FROM customers WHERE name = 'parent' LIMIT 1").chomp
equal "4: an old link", inside("puts 'RESULT ' + [Customer.find('#{id}').name].to_json"), ["parent"]
equal "4: nested attributes of an old form are not found, as the page says", inside(<<~PROGRAM), ["Couldn't find Customer"]
  Order.accepts_nested_attributes_for :customer
  begin
    order = Order.first
    order.update!(customer_attributes: { id: UlidActiveRecord.to_uuid(order.customer_id) })
  rescue ActiveRecord::RecordNotFound => error
    puts "RESULT " + [error.message[0, 22]].to_json
  end
PROGRAM
equal "4: an old Global ID, and of many none, as the page says",
  inside("require 'global_id'\nold = GlobalID.parse('gid://chat/Customer/#{id}')\nputs 'RESULT ' + [GlobalID::Locator.locate(old).name, GlobalID::Locator.locate_many([old])].to_json"), ["parent", []]
sql REST.gsub("ulid", "uuid"), TYPES.sub("ulid", "uuid")
equal "back", inside("#{START}#{PRINT}"), [[], 36]

# The scripts, in place and by copying, there and back, while a process works.
scripts = ["", "public.*"].product(%w[ulid uuid]).map do |copy, to|
  file = "#{Dir.pwd}/#{to}#{copy.size}.sql"
  works "the script to #{to} #{copy}", "psql", "-X", "-q", "-v", "columns=public.customers, public.orders.record_id", "-v", "to=#{to}", "-v", "copy=#{copy}",
    "-v", "script=#{file}", "-f", "#{ENV['here']}/../../move/ulid_move.sql"
  # A process that starts where a table has no key.
  window = "\\! bin/rails runner window.rb >>window.txt 2>&1\n"
  File.write(file, File.read(file).gsub(/^SELECT format\('ANALYZE/) { window + $& }) if [copy, to] == ["", "ulid"]
  array = "ALTER TABLE orders ALTER others TYPE #{to}[]"
  to == "ulid" ? [["-f", file], ["-c", array]] : [["-c", array], ["-f", file]]
end
File.write("window.rb", <<~PROGRAM)
  UlidActiveRecord.as_uuid = true
  keys = Customer.connection.select_value("SELECT count(*) FROM pg_index WHERE indrelid = 'customers'::regclass AND indisprimary")
  puts "\#{keys} \#{Customer.primary_key} \#{Customer.create!(name: 'parent').id&.length}"
PROGRAM
results = inside(<<~PROGRAM) if reads_both
  Customer.connection.select_value("SELECT 1") # before the setting, which holds for connections that are there too
  #{START}
  results = [work]
  failures = 0
  #{scripts}.each do |steps|
    steps.each do |step|
      script = Process.spawn("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", *step, out: File::NULL)
      results << work until Process.wait(script, Process::WNOHANG)
      failures += 1 unless $?.success?
      results << work
    end
  end
  puts "RESULT " + [failures, results.uniq, results.size].to_json
PROGRAM
if reads_both
  puts "# #{results}"
  others = results[1] - [[[], 36]]
  equal "the scripts run, and the process works on", [results[0], others.reject { |message, *| message.to_s.include?("cached plan must not change result type") }], [0, []]
  equal "it worked all the time", results[2] > 20, true
  equal "a process that starts in between knows the key", File.readlines("window.txt", chomp: true).uniq.sort, ["0 id 36", "1 id 36"]
  equal "a row for each reference", sql("SELECT count(*) FROM orders o WHERE NOT EXISTS (SELECT FROM customers c WHERE c.id = o.customer_id) OR NOT EXISTS (SELECT FROM customers c WHERE c.id = o.record_id)"), "0\n"
end

works "or in one migration", "bin/rails", "generate", "migration", "MoveToUlid"
migration = Dir["db/migrate/*_move_to_ulid.rb"].first
File.write(migration, File.read(migration).sub("def change\n", "def up\n    change_column :customers, :id, :ulid\n    change_column :orders, :customer_id, :ulid\n" \
  "    change_column :orders, :record_id, :ulid\n    change_column :orders, :others, :ulid, array: true\n"))
sql "ALTER TABLE customers ALTER id SET DEFAULT gen_random_uuid()"
works "migrated", "bin/rails", "db:migrate"
equal "with the default", File.read("db/schema.rb")[/create_table "customers".*/], 'create_table "customers", id: :ulid, default: -> { "gen_ulid()" }, force: :cascade do |t|'
equal "works", inside("#{WORK}#{PRINT}"), [[], 26]
done
