# Active Record, by itself.
require "stringio"
require "tmpdir"
require "active_record"
require_relative "tap"

def dump
  out = StringIO.new
  ActiveRecord::SchemaDumper.dump(ActiveRecord::Base.connection_pool, out)
  out.string
end

ActiveRecord::Migration.verbose = false
database("ulid_ruby_active_record") if ARGV.empty?
ActiveRecord::Base.establish_connection(adapter: "postgresql", database: ENV["PGDATABASE"])
ActiveRecord::Base.connection.execute("CREATE TABLE messages (id ulid PRIMARY KEY, body text)") if ARGV.empty?
if ARGV == ["plain"] # a process without the adapter
  $stderr.reopen($stdout)
  puts dump
  Class.new(ActiveRecord::Base) { self.table_name = "messages" }.first
  ActiveRecord::Base.connection.execute(
    "CREATE TABLE plains (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), last_id uuid)"
  )
  class Plain < ActiveRecord::Base; end
  Plain.create!
  ActiveRecord::Base.connection.execute("ALTER TABLE plains ALTER id TYPE ulid, ALTER last_id TYPE ulid")
  puts "after ALTER TABLE the id is #{Plain.first.id.inspect}"
  puts "and #{Plain.create!(last_id: IDS[0]) && Plain.where.not(last_id: nil).count} references are stored"
  exit!
end
puts "# Active Record #{ActiveRecord.version}"
plain = `#{RbConfig.ruby} #{__FILE__} plain`
fails 'Could not dump table "messages" because of following StandardError', plain
fails "Unknown type 'ulid' for column 'id'", plain
fails "failed to recognize type of 'id'. It will be treated as String.", plain
fails "after ALTER TABLE the id is nil", plain
fails "and 0 references are stored", plain
ActiveRecord::Base.connection.execute("DROP TABLE messages, plains")

require "pgulid"

class CreateMessages < ActiveRecord::Migration[7.2]
  def change
    enable_extension "ulid"
    create_table :messages, id: :ulid do |t|
      t.text :body
      t.references :answers, type: :ulid, foreign_key: { to_table: :messages }
      t.ulid :mentions, array: true
    end
  end
end

class Message < ActiveRecord::Base
  belongs_to :answers, class_name: "Message", optional: true
end

# The schema.
CreateMessages.migrate(:up)
connection = ActiveRecord::Base.connection
columns = connection.columns("messages")
equal "the columns", columns.map { |column| [column.sql_type, column.type, column.default_function] },
      [["ulid", :ulid, "gen_ulid()"], ["text", :text, nil], ["ulid", :ulid, nil], ["ulid", :ulid, nil]]
schema = dump
written = ['create_table "messages", id: :ulid, default: -> { "gen_ulid()" }',
           't.ulid "answers_id"', 't.ulid "mentions"']
equal "schema.rb", written.reject { |text| schema.include?(text) }, []
connection.execute "CREATE TABLE others (id ulid PRIMARY KEY)"
equal "a key without a default", dump.include?('create_table "others", id: :ulid, default: nil,'), true
connection.drop_table :messages
eval(schema.sub(/ActiveRecord::Schema(\[[\d.]+\])?\.define\(.*?\) do/, "ActiveRecord::Schema\\1.define do"))
messages = /create_table "messages".*?^  end/m
equal "loaded again, it is the same", dump[messages], schema[messages]
elsewhere = ActiveRecord::ConnectionAdapters::PostgreSQL::TypeMetadata # as in a schema cache
kinds = %w[ulid ulid[]].map do |name|
  type = ActiveRecord::ConnectionAdapters::SqlTypeMetadata.new(sql_type: name, type: :ulid)
  metadata = elsewhere.new(type, oid: 1, fmod: -1)
  connection.lookup_cast_type_from_column(ActiveRecord::ConnectionAdapters::PostgreSQL::Column.new("id", nil, metadata))
end
equal "the type of another database's OID", [kinds[0].cast("nope"), kinds[1].cast(["nope"])], [nil, [nil]]
connection.change_table(:others) { |t| t.ulid :called, default: "gen_ulid()" }
connection.change_column_default :others, :id, IDS[1]
columns = connection.columns("others")
equal "a call in a string is a default", columns.map { |column| column.default_function || column.default },
      [IDS[1], "gen_ulid()"]

# Rows.
message = Message.create!(body: "hello")
equal "the id comes back", [message.id.class, message.id.length], [String, 26]
equal "find", [Message.find(message.id).body, Message.find(message.id.downcase).body], %w[hello hello]
many = Message.insert_all((1..100).map { |n| { body: n.to_s } }, returning: %i[id body]).rows
equal "insert_all returns each row's id", many.sort, Message.where.not(id: message.id).pluck(:id, :body).sort
Message.delete_all
Message.insert_all(IDS.map { |id| { id: id, body: "x", mentions: IDS } })
first = Message.find(IDS[0])
equal "an array and NULL", [first.mentions, first.answers_id], [IDS, nil]
first.update!(answers_id: IDS[1].downcase, mentions: [IDS[2]])
equal "a reference, eager loaded", Message.includes(:answers).find(IDS[0]).answers.id, IDS[1]
equal "an array, changed", first.reload.mentions, [IDS[2]]
equal "any spelling", Message.new(id: "0lhwt78yr004hmasw9nf6yy0r3").id, IDS[2]
equal "a UUID", [UUID, "{#{UUID}}"].map { |id| Message.find(id).id }, [IDS[1]] * 2

# Times.
hour = NOON + HOUR
ids = ->(range) { Message.where(id: range).order(:id).ids }
ranges = [hour.., ..hour, ...hour, hour..hour, hour...hour, NOON...hour, NOON..hour]
equal "ranges of time", ranges.map { |range| ids[range] },
      [IDS[1..], IDS[0..1], IDS[0..0], [IDS[1]], [], [IDS[0]], IDS[0..1]]
equal "to the millisecond", [ids[hour + 0.001r..], ids[hour + 0.000001r..]], [IDS[2..], IDS[1..]]
first, second = Date.new(2024, 5, 1), Date.new(2024, 5, 2)
equal "of days, in the application's time zone", [first...second, second..].map(&ids), [IDS, []]
day = Date.new(2024, 5, 1)
require "active_support/core_ext/date/calculations"
found = [Message.where(id: day..day).count, Message.where(id: day.all_day).order(:id).ids]
equal "a date is its midnight", found, [0, IDS]
fails('invalid input syntax for type ulid: "2024-05-01 13:00:00') { Message.where("id >= ?", hour).ids }
equal "a time in one's own SQL", Message.where("id >= ?::timestamptz", hour).order(:id).ids, IDS[1..]
connection.create_table(:marks) { |t| t.references :message, type: :ulid }
class Mark < ActiveRecord::Base; belongs_to :message; end
IDS.each { |id| Mark.create!(message_id: id) }
equal "of a reference, through a join, and negated",
      [Mark.where(message_id: hour..).count, Mark.joins(:message).where(messages: { id: hour.. }).count,
       Message.where.not(id: hour..).ids],
      [2, 2, [IDS[0]]]
fails("a time is not a valid ULID: 2024-05-01 13:00:00 UTC") { Message.find_by(id: hour) }
at = ->(time) { time.is_a?(String) ? Time.parse(time).utc : time }
equal "the time of an id, by pluck and select", [Message.where(id: IDS[1]).pluck(Arel.sql("id::timestamptz"))[0],
      Message.where(id: IDS[1]).select("id::timestamptz").to_a[0].id].map(&at), [hour, hour]

# Invalid ids.
wrong = ["no", "", "U" * 26, "Z" * 26, "8" + IDS[0][1..], IDS[0] + "0", 5, UUID[0..-2], :a, 1.5, true]
Message.transaction do
  found = wrong.map { |value| [Message.find_by(id: value), Message.exists?(id: value), Message.where(id: [value]).ids] }
  equal "are not found", found.uniq, [[nil, false, []]]
  equal "find", wrong.map { |value| Message.find(value) rescue $!.class }.uniq, [ActiveRecord::RecordNotFound]
  equal "the transaction goes on", Message.exists?, true
end
equal "where.not finds nothing", Message.where.not(id: "no").ids, []
stored = Message.create!(answers_id: "no", mentions: ["no", IDS[0]]).reload
equal "are stored as NULL", [stored.answers_id, stored.mentions], [nil, [nil, IDS[0]]]
stored.destroy!
fails("All objects being inserted must have the same keys") do
  Message.insert_all([{ body: "a" }, { id: IDS[0], body: "b" }])
end
fails('null value in column "id" of relation "messages" violates not-null constraint') do
  Message.insert_all([{ id: "no" }])
end
fails("operator does not exist: ulid = text") { Message.where("id = ANY(ARRAY[?])", [IDS[0]]).ids }

# The type of a key changes under a process that has loaded its columns, with references, arrays and polymorphism.
connection.enable_extension "pgcrypto"
connection.create_table(:boats, id: :uuid, default: "gen_uuidv7()") { |t| t.uuid :seen, array: true }
connection.create_table(:oars) { |t| t.references :boat, type: :uuid, foreign_key: true }
connection.create_table(:labels) { |t| t.references :on, polymorphic: true, type: :uuid }
connection.create_table(:notes) { |t| t.references :about, polymorphic: true, type: :string }
class Boat < ActiveRecord::Base
  has_many :oars, dependent: :destroy
  has_many :labels, as: :on, dependent: :destroy
end
class Oar < ActiveRecord::Base; belongs_to :boat; end
class Label < ActiveRecord::Base; belongs_to :on, polymorphic: true; end
class Note < ActiveRecord::Base; belongs_to :about, polymorphic: true; end
boat = Boat.create!(seen: [UUID])
2.times { Oar.create!(boat: boat) }
Label.create!(on: boat)
stored = lambda do
  connection.select_rows(
    "SELECT b.id::uuid, o.boat_id::uuid, seen::uuid[], l.on_id::uuid FROM boats b, oars o, labels l"
  )
end
before = stored.call
equal "gen_uuidv7() is the default", boat.id[14], "7"
alter = lambda do |from, type, default|
  [["boats", "id"], ["oars", "boat_id"], ["labels", "on_id"]].each do |table, column|
    connection.execute("ALTER TABLE #{table} ALTER #{column} TYPE #{type}")
  end
  connection.execute("ALTER TABLE boats ALTER id SET DEFAULT #{default}, ALTER seen TYPE #{type}[]")
end
reads = lambda do
  first = Boat.includes(:oars, :labels).first
  [first.id, first.oars.map(&:boat_id).uniq, first.labels.map(&:on), first.seen, Oar.last.boat == first,
   Boat.find(first.id) == first]
end
restart = -> { ActiveRecord::Base.descendants.reject(&:abstract_class?).each(&:reset_column_information) }
expected = ->(id, seen) { [id, [id], [Boat.new(id: id)], [seen], true, true] }
equal "before", reads.call, expected[boat.id, UUID]
alter.call("uuid", "ulid", "gen_ulid()")
equal "a process that has loaded the columns reads the same", reads.call, expected[boat.id, UUID]
Oar.first.update!(boat: Boat.first)
Note.create!(about: Boat.first)
equal "and stores the same, also in text", [stored.call, Note.first.about_id], [before, boat.id]
restart.call
connection.execute("UPDATE notes SET about_id = about_id::ulid::text WHERE about_type = 'Boat'")
ulid = Pgulid.parse(boat.id)
equal "after a restart, they are ULIDs", reads.call, expected[ulid, IDS[1]]
Oar.first.update!(boat: Boat.first)
equal "and the rows are the same", [stored.call, Note.first.about], [before, Boat.first]
alter.call("ulid", "uuid", "gen_random_uuid()")
fails("invalid input syntax for type uuid") { Oar.first.update!(boat: Boat.first) }
restart.call
equal "back, nothing is lost", [reads.call, stored.call], [expected[boat.id, UUID], before]

# Columns that cannot hold the key.
alter.call("uuid", "ulid", "gen_ulid()")
restart.call
equal "no mismatches", Pgulid.mismatches, []
connection.execute("ALTER TABLE oars ALTER boat_id TYPE uuid; ALTER TABLE labels ALTER on_id TYPE bigint USING 1")
connection.create_join_table(:boats, :ports)
connection.create_table(:ports, id: :ulid)
class Port < ActiveRecord::Base; end
class Boat; has_and_belongs_to_many :ports; end
restart.call
equal "mismatches", Pgulid.mismatches.sort, ["boats.id is ulid, boats_ports.boat_id is bigint",
      "boats.id is ulid, labels.on_id is bigint", "boats.id is ulid, oars.boat_id is uuid",
      "boats_ports.port_id is bigint, ports.id is ulid"]
boat, oar, port = Boat.first, Oar.first, Port.create!
fails("is a ULID, but the column is an integer: see Pgulid.mismatches") { Label.create!(on: boat) }
fails("is a ULID, but the column is an integer") { Boat.includes(:labels).to_a }
fails("is a ULID, but the column is an integer") { boat.ports << port }
[Label, Label.where(id: 1)].each do |labels|
  equal "an integer key has no such row", (labels.find(boat.id) rescue $!.class), ActiveRecord::RecordNotFound
end
numbers = [Label.new(on_id: "12").on_id, Label.new(on_id: "1a").on_id, Label.where(id: "1").count]
equal "a number is a number", numbers, [12, 1, 1]
big = ActiveRecord::Type::DecimalWithoutScale.new.cast("01234567890123456789012345")
equal "26 digits are a numeric", big, 1_234_567_890_123_456_789_012_345
reads("parse") { |text| Pgulid.parse(text) }
reads("an attribute") { |text| Message.new(answers_id: text).answers_id }
equal "a reference of the type uuid, one by one and eager loaded",
      [oar.boat, Oar.new(boat: boat).boat_id, boat.oars.include?(oar), Boat.includes(:oars).to_a],
      [boat, oar.boat_id, true, [boat]]
connection.drop_join_table(:boats, :ports)
connection.create_join_table :boats, :ports, column_options: { type: :ulid }
restart.call
boat.reload.ports << port
equal "a join table of ulids", boat.reload.ports, [port]

# Fixtures.
Dir.mktmpdir do |directory|
  File.write("#{directory}/messages.yml", <<~YAML)
    question: { body: one }
    reply: { body: two, answers: question, mentions: [#{IDS[0]}] }
  YAML
  ActiveRecord::FixtureSet.create_fixtures(directory, "messages")
end
question, reply = Message.order(:body).to_a
equal "fixtures name each other", [question.body, reply.answers, reply.mentions], ["one", question, [IDS[0]]]
equal "a label's id", question.id, ActiveRecord::FixtureSet.identify("question", :ulid)
created = Message.create!
require "active_support/core_ext/numeric/time"
equal "the last row is not a fixture", [Message.last, *Message.where(id: 1.hour.ago..)], [created, created]
equal "the time of a fixture", Message.where(id: ...Date.new(2000, 1, 2)).count, 2
equal "other labels", ActiveRecord::FixtureSet.identify("question"), 922_175_824

# A range of times of a uuid column.
connection.instance_eval do
  create_table :ships, id: :uuid, default: "gen_uuidv7()"
end
class ApplicationRecord < ActiveRecord::Base; self.abstract_class = true; end
class Ship < ApplicationRecord
  scope :made_between, lambda { |from, to|
    where("id >= uuidv7_min(?) AND id < uuidv7_min(?)", from, to)
  }
end
ships = (0..2).map { |n| connection.select_value("SELECT gen_uuidv7(timestamptz '#{(NOON + n * HOUR).iso8601}')") }
ships.each { |id| Ship.create!(id: id) }
Time.zone = "Tokyo"
equal "a range of times of a uuid column", Ship.made_between(hour, (hour + HOUR).in_time_zone).ids, [ships[1]]
