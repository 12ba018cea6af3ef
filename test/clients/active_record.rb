# Active Record.
require "stringio"
require "active_record"

puts "# Active Record #{ActiveRecord.version}"

def dump
  out = StringIO.new
  pool = ActiveRecord::Base.connection_pool
  ActiveRecord::SchemaDumper.dump(ActiveRecord.version >= Gem::Version.new("7.2") ? pool : ActiveRecord::Base.connection, out)
  out.string
end

ActiveRecord::Migration.verbose = false
ActiveRecord::Base.establish_connection(adapter: "postgresql", host: ENV["PGHOST"], username: ENV["PGUSER"],
                                        database: ENV["PGDATABASE"])
# Without the glue, in a process of its own.
if ARGV == ["plain"]
  $stderr.reopen($stdout)
  ActiveRecord::Base.connection.execute("ALTER TABLE message RENAME TO messages")
  puts dump
  class Message < ActiveRecord::Base; end
  puts "id #{Message.find(Message.create!(body: 'hello').id).id.length}"
  class Note < ActiveRecord::Base; end
  Note.connection.execute("CREATE TABLE notes (id bigserial PRIMARY KEY, message_id uuid, body text)")
  Note.create!(message_id: "018f3406-9e00-0123-4567-89abcdef0101")
  Note.connection.execute("ALTER TABLE notes ALTER message_id TYPE ulid")
  Note.first.tap(&:as_json).update!(body: "changed")
  puts "reference #{Note.connection.select_value('SELECT message_id FROM notes').inspect}"
  Note.connection.execute("DROP TABLE notes")
  ActiveRecord::Base.connection.execute("DROP TABLE messages")
  exit
end
plain = `#{RbConfig.ruby} #{__FILE__} plain`

require "./message_active_record.rb"
require "./tap"
equal "without the glue a process that knows a uuid loses it, as the page says", plain[/^reference .*/], "reference nil"
equal "without the glue, the id comes back", plain[/^id (\d+)/, 1], "26"
quotes 'Could not dump table "messages" because of following StandardError', plain
quotes "Unknown type 'ulid' for column 'id'", plain
quotes "failed to recognize type of 'id'. It will be treated as String.", plain

CreateMessages.migrate(:up)
connection = ActiveRecord::Base.connection
equal "the columns migrated to", connection.columns("messages").map { |column| [column.sql_type, column.type, column.default_function] },
      [["ulid", :ulid, "gen_ulid()"], ["text", :text, nil], ["ulid", :ulid, nil], ["ulid", :ulid, nil]]
schema = dump
equal "schema.rb has the table", schema.include?('create_table "messages", id: :ulid, default: -> { "gen_ulid()" }'), true
equal "and its columns", [schema.include?('t.ulid "answers_id"'), schema.match?(/t\.ulid "mentions",.*array: true/)], [true, true]
# A schema cache is made in another database, where the type has another OID.
connection.execute "CREATE TABLE withouts (id ulid PRIMARY KEY)"
equal "a key without a default has none again", dump[/create_table "withouts".*/], 'create_table "withouts", id: :ulid, default: nil, force: :cascade do |t|'
connection.drop_table :withouts
elsewhere = ActiveRecord::ConnectionAdapters::PostgreSQL::TypeMetadata
types = %w[ulid ulid[]].map do |name|
  metadata = elsewhere.new(ActiveRecord::ConnectionAdapters::SqlTypeMetadata.new(sql_type: name, type: :ulid), oid: 1, fmod: -1)
  connection.lookup_cast_type_from_column(ActiveRecord::ConnectionAdapters::PostgreSQL::Column.new("id", nil, metadata)).deserialize(name == "ulid" ? "nope" : "{nope}")
end
equal "a column of a schema cache has the type", types, [nil, [nil]]
connection.drop_table :messages
eval(schema.sub(/ActiveRecord::Schema(\[[\d.]+\])?\.define\(.*?\) do/, "ActiveRecord::Schema\\1.define do"))
equal "loaded again, it is the same", dump[/create_table "messages".*?^  end/m], schema[/create_table "messages".*?^  end/m]

message = Message.create!(body: "hello")
equal "the id comes back from the insert", [message.id.class, message.id.length], [String, 26]
equal "lookup by the id", Message.find(message.id).body, "hello"
equal "in lower case", Message.find(message.id.downcase).body, "hello"
message.update!(body: "changed")
equal "saved again, it is the same row", Message.pluck(:body), ["changed"]
equal "destroy", [message.destroy.destroyed?, Message.count], [true, 0]
equal "insert_all", Message.insert_all([{ body: "a" }, { body: "b" }], returning: :id).rows.map { |id,| id.length }, [26, 26]
Message.delete_all

many = Message.insert_all((1..100).map { |n| { body: n.to_s } }, returning: %i[id body]).rows
equal "the ids of many are theirs", many.sort, Message.pluck(:id, :body).sort
Message.delete_all
Message.insert_all(IDS.map { |id| { id: id, body: "x", mentions: IDS } })
equal "out as they went in, and in order", Message.order(:id).ids, IDS
equal "range by time", Message.made_in(NOON + HOUR...NOON + 2 * HOUR).ids, [IDS[1]]
equal "to the millisecond", Message.made_in(NOON + HOUR + MILLISECOND...NOON + 2 * HOUR + MILLISECOND).ids, [IDS[2]]
equal "a range with its end, and with none", [Message.made_in(NOON..NOON + HOUR).order(:id).ids, Message.made_in(NOON + HOUR..).order(:id).ids],
      [IDS[0..1], IDS[1..]]
equal "any of many", Message.where(id: [IDS[0], IDS[2]]).order(:id).ids, [IDS[0], IDS[2]]
equal "between ids", Message.where(id: IDS[0]..IDS[1]).order(:id).ids, IDS[0..1]
first = Message.find(IDS[0])
equal "an array column, and null", [first.mentions, first.answers_id], [IDS, nil]
equal "a search in it", Message.where("mentions @> ARRAY[?]::ulid[]", [IDS[2]]).count, 3
first.update!(answers_id: IDS[1].downcase, mentions: [IDS[2]])
equal "a reference, eager loaded", Message.includes(:answers).find(IDS[0]).answers.id, IDS[1]
equal "an array, changed", first.reload.mentions, [IDS[2]]
equal "prepared or not", Message.find_by(id: IDS[2]).id, IDS[2]
equal "first and last are by time", [Message.first.id, Message.last.id], [IDS[0], IDS[2]]
equal "find_each", Message.find_each(batch_size: 1).map(&:id), IDS
equal "cached as", Message.new(id: "0lhwt78yr004hmasw9nf6yy0r3").id, IDS[2]

Message.create!(id: IDS[1].next, answers_id: "", mentions: ["", IDS[0]])
equal "an empty field of a form is null", Message.where(answers_id: nil, mentions: [nil, IDS[0]]).ids, [IDS[1].next]

stored = Message.create!(id: "no ulid", answers_id: "no ulid", mentions: ["no ulid"]).reload
equal "what is no ULID is stored as null, as the page says", [stored.id.length, stored.answers_id, stored.mentions], [26, nil, [nil]]
stored.destroy!
fails("All objects being inserted must have the same keys") { Message.insert_all([{ body: "a" }, { id: IDS[0], body: "b" }]) }

# The id of a label was a number.
Dir.mkdir("fixtures")
File.write("fixtures/messages.yml", "question:\n  body: one\nreply:\n  body: two\n  answers: question\n  mentions: [#{IDS[0]}]\n")
ActiveRecord::FixtureSet.create_fixtures("fixtures", "messages")
equal "fixtures", Message.order(:body).pluck(:body), %w[one two]
question, reply = Message.order(:body).to_a
equal "named by their labels", [question.id, reply.answers, reply.mentions],
      [ActiveRecord::FixtureSet.identify("question", :ulid), question, [IDS[0]]]
equal "the id of a label, where a reference remained a uuid",
      connection.select_value("SELECT '#{reply.id}'::ulid = '#{ActiveRecord::FixtureSet.identify("reply", :uuid)}'::uuid"), true
equal "other labels' ids are as they were", ActiveRecord::FixtureSet.identify("question"), 922_175_824

# What is none was an error of the server, which aborts the transaction.
wrong = ["no ulid", "", "U" * 26, "Z" * 26, "8" + IDS[0][1..], IDS[0] + "0", 5, "018f343d-8c80-0123-4567-89abcdef020", :a, 1.5, true]
Message.transaction do
  equal "what is no id finds nothing", wrong.map { |value| [Message.find_by(id: value), Message.exists?(id: value), Message.where(id: [value]).ids] }.uniq,
        [[nil, false, []]]
  equal "and is not found", wrong.map { |value| Message.find(value) rescue $!.class }.uniq, [ActiveRecord::RecordNotFound]
  equal "the transaction goes on", Message.exists?, true
end
Message.create!(id: IDS[1], body: "by its UUID")
equal "a UUID is one", ["018f343d-8c80-0123-4567-89abcdef0202", "{018F343D8C80012345678 9abcdef0202}".delete(" ")].map { |id| Message.find(id).id }, [IDS[1]] * 2
equal "a page after a cursor", Message.page_after(IDS[0], 1).ids, [IDS[1]]
equal "and after no cursor", Message.page_after("nope", 1).ids, []
equal "all but what is no id, as the page says", Message.where.not(id: "nope").ids, []
equal "made on a day", Message.made_in(Date.new(2024, 5, 1)...Date.new(2024, 5, 2)).ids.include?(IDS[1]), true
fails('null value in column "id" of relation "messages" violates not-null constraint') { Message.insert_all([{ id: "nope" }]) }
fails('invalid input syntax for type ulid: "no ulid"') { Message.where("id = ?", "no ulid").ids }
fails("operator does not exist: ulid = text") { Message.where("id = ANY(ARRAY[?])", [IDS[0]]).ids }
fails("a time is no ULID: 2024-05-01 13:00:00 UTC") { Message.where(id: NOON + HOUR..).ids }

# The one is the text of a UUID, the other that of a ULID.
connection.execute "CREATE TABLE marks (id bigserial PRIMARY KEY, message_id uuid)"
class Mark < ActiveRecord::Base; belongs_to :message; end
Mark.create!(message_id: IDS[1])
preloaded = Mark.preload(:message).first.message rescue $!.class
equal "a reference that has stayed uuid, as the page says", [Mark.first.message.id, Mark.joins(:message).count, preloaded],
      [IDS[1], 1, ActiveRecord.version < Gem::Version.new("7") ? NoMethodError : nil]

# Two reasons for a default: random UUIDs, and none.
connection.execute "CREATE TABLE olds (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), old uuid, kept uuid DEFAULT gen_random_uuid())"
connection.change_column :olds, :id, :ulid
connection.change_column :olds, :old, :ulid
connection.change_column :olds, :kept, :ulid, default: nil
equal "changed from uuid, with the default of the new type", connection.columns("olds").map { |column| [column.sql_type, column.default_function] },
      [["ulid", "gen_ulid()"], ["ulid", nil], ["ulid", nil]]

# As a string, which Active Record takes as a call for a uuid.
connection.change_table(:olds) { |t| t.ulid :called, default: "gen_ulid()" }
connection.change_column_default :olds, :kept, "gen_random_ulid()"
connection.change_column_default :olds, :old, IDS[1]
equal "a call in a string is a default", connection.columns("olds").to_h { |column| [column.name, column.default_function || column.default] },
      { "id" => "gen_ulid()", "old" => IDS[1], "kept" => "gen_random_ulid()", "called" => "gen_ulid()" }
done
