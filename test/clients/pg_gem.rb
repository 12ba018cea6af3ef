# pg of Ruby.
require "./message_pg"
require "./tap"

puts "# pg #{PG::VERSION}"
id = add("hello")
equal "a default comes back as text", [id.class, id.length], [String, 26]
equal "a text finds its row", those([id]), [{ "id" => id, "body" => "hello" }]
CONNECTION.exec("DELETE FROM message")
copy_in(IDS.map { |one| [one, "copied"] })
equal "COPY", those(IDS).map { |row| row["id"] }, IDS
equal "range by time", between(NOON + HOUR, NOON + 2 * HOUR), [IDS[1]]
equal "to the millisecond", between(NOON + HOUR + MILLISECOND, NOON + 2 * HOUR + MILLISECOND), [IDS[2]]
equal "a page after a cursor", page_after(IDS[0], 1), [IDS[1]]
equal "an array comes back, and null", CONNECTION.exec("SELECT array_agg(id ORDER BY id), NULL::ulid FROM message").values,
      [[IDS, nil]]
fails('invalid input syntax for type ulid: "no ulid"') { CONNECTION.exec_params("SELECT $1::ulid", ["no ulid"]) }
fails('invalid input syntax for type ulid: "2024-05-01 13:00:00 UTC"') do
  CONNECTION.exec_params("SELECT FROM message WHERE id >= $1", [(NOON + HOUR).to_s])
end
["no ulid", "8" + IDS[0][1..]].each do |wrong|
  equal "a DataException: #{wrong}", (CONNECTION.exec_params("SELECT $1::ulid", [wrong]) rescue $!.is_a?(PG::DataException)), true
end
done
