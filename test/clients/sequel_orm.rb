# Sequel.
require "./message_sequel"
require "./tap"

puts "# Sequel #{Sequel::VERSION}"
create_messages
equal "the columns made", DB.schema(:message).map { |_, column| [column[:db_type], column[:default]] },
      [["ulid", "gen_ulid()"], ["text", nil], ["ulid", nil], ["ulid[]", nil]]
uri = "postgres:///?user=$PGUSER&host=$PGHOST&port=${PGPORT:-5432}"
dump = ->(option) { "psql -q -c 'CREATE EXTENSION ulid'; mkdir m; PGDATABASE=$FROM sequel #{option} \"#{uri}\" >m/1_message.rb; sequel -m m \"#{uri}\"; psql -q -c 'DROP TABLE schema_info'; rm -r m" }
equal "sequel -D", restored(dump["-D"]), "same\n"
equal "sequel -d, as the page says", restored(dump["-d"]).scan(/^> +(\w+ text)/), [["id text"], ["answers text"], ["mentions text"]]
id = DB[:message].insert(body: "hello")
equal "the id comes back from the insert", [id.class, id.length], [String, 26]
equal "lookup by the id", DB[:message][id: id][:body], "hello"
DB[:message].delete
many = DB[:message].returning(:id, :body).import([:body], (1..100).map { |n| [n.to_s] }).map(&:values)
equal "the ids of many are theirs", many.sort, DB[:message].select_map(%i[id body]).sort
DB[:message].delete
DB[:message].multi_insert([{ body: "a" }, { id: IDS[0], body: "b" }])
equal "an id in a later row alone, as the page says", DB[:message].where(id: IDS[0]).count, 0
DB[:message].delete
DB[:message].multi_insert(IDS.map { |one| { id: one, body: "x", mentions: Sequel.pg_array(IDS, :ulid) } })
equal "range by time", between(NOON + HOUR, NOON + 2 * HOUR).select_map(:id), [IDS[1]]
equal "to the millisecond", between(NOON + HOUR + MILLISECOND, NOON + 2 * HOUR + MILLISECOND).select_map(:id), [IDS[2]]
equal "a page after a cursor", page_after(IDS[0], 1).select_map(:id), [IDS[1]]
equal "of times with a zone", between((NOON + HOUR).getlocal("-03:30"), (NOON + 2 * HOUR).getlocal("+05:45")).select_map(:id), [IDS[1]]
equal "any of many", those([IDS[0], IDS[2]]).select_order_map(:id), [IDS[0], IDS[2]]
equal "any of many, by IN", DB[:message].where(id: [IDS[0], IDS[2]]).select_order_map(:id), [IDS[0], IDS[2]]
equal "an array column, and null", DB[:message].where(id: IDS[0]).get(%i[mentions answers]), [IDS, nil]
DB.copy_into(:message, columns: %i[id body], data: ["01HWT78YR004HMASW9NF6YY0R4\tcopied\n"])
equal "COPY", DB[:message].where(body: "copied").count, 1
fails('invalid input syntax for type ulid: "no ulid"') { DB[:message][id: "no ulid"] }
fails('invalid input syntax for type ulid: "2024-05-01 13:00:00.000000+0000"') { DB[:message].where(Sequel[:id] >= NOON + HOUR).all }
fails("operator does not exist: ulid = integer") { DB[:message][id: 5] }
fails('malformed array literal: "01HWT0D7G004HMASW9NF6YY081"') { DB[:message].update(mentions: [IDS[0]]) }
DB.get(Sequel.cast("no ulid", :ulid)) rescue equal("what Sequel wraps", [$!.is_a?(Sequel::DatabaseError), $!.wrapped_exception.is_a?(PG::DataException)], [true, true])
done
