require "active_record"
require "active_record/connection_adapters/postgresql_adapter"
require "active_record/fixtures"

module UlidActiveRecord
  DIGITS = "0-9A-HJKMNP-TV-Z".freeze
  Uuid = ActiveRecord::ConnectionAdapters::PostgreSQL::OID::Uuid

  # For the time of a move: what is read from a column of type ulid is a UUID.
  class << self
    attr_accessor :as_uuid
  end

  # In the server's spelling, of a ULID in any spelling or of a UUID; of anything else nil.
  def self.to_ulid(value)
    text = value.to_s
    ulid = text.upcase.tr("ILO", "110")
    return ulid if ulid.match?(/\A[0-7][#{DIGITS}]{25}\z/o)

    text.tr("{}-", "").hex.to_s(32).rjust(26, "0").tr("0-9a-v", DIGITS) if text.match?(Uuid::ACCEPTABLE_UUID)
  end

  def self.to_uuid(value)
    ulid = to_ulid(value)
    ulid && format("%032x", ulid.tr(DIGITS, "0-9a-v").to_i(32)).sub(/(.{8})(.{4})(.{4})(.{4})/, '\1-\2-\3-\4-')
  end

  class Type < ActiveRecord::Type::Value
    def type
      :ulid
    end

    def serialize(value)
      cast(value)
    end

    private

    # As the type of uuid does, nil for what is none: not found, and null for an empty field of a form.
    def cast_value(value)
      raise ArgumentError, "a time is no ULID: #{value}" if value.acts_like?(:time) || value.acts_like?(:date)

      (UlidActiveRecord.as_uuid ? UlidActiveRecord.to_uuid(value) : UlidActiveRecord.to_ulid(value)).freeze
    end
  end

  module UuidOfUlid # a column of type uuid takes a ULID too
    def changed_in_place?(raw_old_value, new_value)
      super(cast(raw_old_value), new_value)
    end

    private

    def cast_value(value)
      super || UlidActiveRecord.to_uuid(value)
    end
  end

  # For the time of a move: what SQL of one's own and insert_all give, which no type casts, is UUIDs too.
  class Decoder < PG::SimpleDecoder
    def decode(text, *)
      UlidActiveRecord.as_uuid ? text.gsub(/[0-7][#{DIGITS}]{25}/o) { |ulid| UlidActiveRecord.to_uuid(ulid) } : text
    end
  end

  module Adapter
    # With the default of the new type, unless told otherwise: random UUIDs would be ULIDs of random times.
    def change_column(table, column, type, **options)
      if type.to_s == "ulid" && !options.key?(:default)
        old = columns(table).find { |one| one.name == column.to_s && one.sql_type == "uuid" }
        options[:default] = -> { "gen_ulid()" } if old&.default_function
      end
      super
    end

    # A call is one as a string too, as for a uuid: default: "gen_ulid()".
    def quote_default_expression(value, column)
      column.type == :ulid && value.is_a?(String) && value.include?("()") ? value : super
    end

    # By its name: a schema cache has the OID of the database that it was made in.
    def lookup_cast_type_from_column(column)
      return super unless column.sql_type == "ulid"

      column.array ? ActiveRecord::ConnectionAdapters::PostgreSQL::OID::Array.new(Type.new) : Type.new
    end

    # While a table moves, what stands in for its key: a process asks once, and keeps the answer.
    def primary_keys(table)
      super.presence || query_values(<<~SQL, "SCHEMA")
        SELECT attname FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
        WHERE indrelid = #{quote(quote_table_name(table))}::regclass AND indisunique
          AND obj_description(indexrelid, 'pg_class') LIKE 'In the place of % "key" : "PRIMARY KEY"%'
        ORDER BY array_position(indkey::int2[], attnum)
      SQL
    end

    private

    # With the type itself, also where that of an array alone is asked for.
    def load_additional_types(oids = nil)
      connection = @raw_connection || @connection
      ulids = connection.exec("SELECT oid FROM pg_type WHERE typname IN ('ulid', '_ulid')").map { |row| row["oid"].to_i }
      type_map.register_type("ulid", Type.new)
      super(oids && (oids | ulids))
      ulids.each { |oid| connection.type_map_for_results.add_coder(Decoder.new(oid: oid)) }
    end

    def connect # of 6.1, which asks for no types when it connects anew
      super.tap { load_additional_types if @connection && @type_map }
    end
  end

  module Dumper # a key without a default has none again
    private

    def explicit_primary_key_default?(column)
      super || column.type == :ulid
    end
  end

  module Column
    def ulid(*names, **options)
      names.each { |name| column(name, :ulid, **options) }
    end
  end

  module PrimaryKey
    def primary_key(name, type = :primary_key, **options)
      options[:default] = options.fetch(:default, -> { "gen_ulid()" }) if type.to_s == "ulid"
      super
    end
  end

  module Fixtures # the id of a label is that which a column of type uuid has
    def identify(label, column_type = :integer)
      column_type == :ulid ? UlidActiveRecord.to_ulid(super(label, :uuid)) : super
    end
  end

  adapters = ActiveRecord::ConnectionAdapters
  adapters::PostgreSQLAdapter::NATIVE_DATABASE_TYPES[:ulid] = { name: "ulid" }
  adapters::PostgreSQLAdapter.prepend(Adapter)
  adapters::PostgreSQL::SchemaDumper.prepend(Dumper)
  adapters::PostgreSQL::Table.include(Column)
  adapters::PostgreSQL::TableDefinition.include(Column)
  adapters::PostgreSQL::TableDefinition.prepend(PrimaryKey)
  Uuid.prepend(UuidOfUlid)
  ActiveRecord::FixtureSet.singleton_class.prepend(Fixtures)
  ActiveRecord::Type.register(:ulid, Type, adapter: :postgresql)
end
