# The gem pg.
require "pg"
require "time"
require_relative "tap"

CONNECTION = PG.connect

def add(body)
  CONNECTION.exec_params("INSERT INTO message (body) VALUES ($1) RETURNING id", [body]).getvalue(0, 0)
end

def between(first, last)
  CONNECTION.exec_params("SELECT id FROM message WHERE id >= $1::timestamptz AND id < $2::timestamptz",
                         [first.iso8601(6), last.iso8601(6)]).column_values(0)
end

def page_after(id, size)
  CONNECTION.exec_params("SELECT id FROM message WHERE id > $1 ORDER BY id LIMIT $2", [id, size]).column_values(0)
end

puts "# pg #{PG::VERSION}"
id = add("hello")
equal "the default comes back as a string", [id.class, id.length], [String, 26]
equal "find", CONNECTION.exec_params("SELECT body FROM message WHERE id = $1", [id.downcase]).values, [["hello"]]
CONNECTION.exec("DELETE FROM message")
IDS.each { |one| CONNECTION.exec_params("INSERT INTO message (id) VALUES ($1)", [one]) }
equal "a range of time", between(NOON + HOUR, NOON + 2 * HOUR), [IDS[1]]
equal "to the millisecond", between(NOON + HOUR + 0.001r, NOON + 2 * HOUR + 0.001r), [IDS[2]]
equal "a page after a cursor", page_after(IDS[0], 1), [IDS[1]]
list = PG::TextEncoder::Array.new.encode(IDS[1..])
ids = CONNECTION.exec_params("SELECT array_agg(id ORDER BY id) FROM message WHERE id = ANY($1)", [list]).getvalue(0, 0)
equal "arrays", PG::TextDecoder::Array.new.decode(ids), IDS[1..]
fails('invalid input syntax for type ulid: "2024-05-01 13:00:00 UTC"') do
  CONNECTION.exec_params("SELECT FROM message WHERE id >= $1", [(NOON + HOUR).to_s])
end
["not an id", "8" + IDS[0][1..]].each do |wrong|
  equal "a PG::DataException: #{wrong}", (CONNECTION.exec_params("SELECT $1::ulid", [wrong]) rescue $!.is_a?(PG::DataException)), true
end
done
