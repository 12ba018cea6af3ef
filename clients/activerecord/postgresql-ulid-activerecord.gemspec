Gem::Specification.new do |spec|
  spec.name = "postgresql-ulid-activerecord"
  spec.version = "1.0.0"
  spec.summary = "The type ulid of PostgreSQL for Active Record: t.ulid, id: :ulid, arrays, schema.rb"
  spec.authors = ["The ulid for PostgreSQL developers"]
  spec.license = "PostgreSQL"
  spec.required_ruby_version = ">= 2.7"
  spec.files = ["lib/ulid_active_record.rb", "LICENSE"] # LICENSE is a link, so build the gem from a copy, `cp -rL`
  spec.add_dependency "activerecord", ">= 6.1"
  spec.add_dependency "pg", ">= 1.1"
end
