Gem::Specification.new do |spec|
  spec.name = "pgulid"
  spec.version = "1.0.0"
  spec.summary = "The type ulid of PostgreSQL for Active Record: t.ulid, id: :ulid, arrays, ranges of times, schema.rb"
  spec.homepage = "https://example.org/ulid"
  spec.authors = ["The ulid for PostgreSQL developers"]
  spec.license = "PostgreSQL"
  spec.metadata = { "source_code_uri" => "https://example.org/ulid", "rubygems_mfa_required" => "true" }
  spec.required_ruby_version = ">= 3.1"
  spec.files = ["lib/pgulid.rb", "lib/pgulid/active_record.rb", "LICENSE", "README.md"]
  spec.add_dependency "activerecord", ">= 7.2"
  spec.add_dependency "pg", ">= 1.1"
end
