# Columns of type ulid in Active Record: t.ulid, id: :ulid, arrays, fixtures, ranges of times. See README.md.
require "active_record"
require "active_record/connection_adapters/postgresql_adapter"
require "active_record/fixtures"

module Pgulid
  DIGITS = "0-9A-HJKMNP-TV-Z".freeze
  Uuid = ActiveRecord::ConnectionAdapters::PostgreSQL::OID::Uuid
  UUIDS = /\A({)?(\h{4}-?){7}\h{4}(?(1)})\z/ # not Rails' own, which accepts a hyphen at the end

  class Mismatch < ArgumentError
  end

  # Converts a ULID in any spelling, or a UUID, to the server's spelling. Anything else becomes nil.
  def self.parse(value)
    text = value.to_s
    return text.upcase.tr("ILO", "110") if ulid?(text)

    text.tr("{}-", "").hex.to_s(32).rjust(26, "0").tr("0-9a-v", DIGITS) if text.match?(UUIDS)
  end

  def self.ulid?(value)
    value.is_a?(String) && value.match?(/\A[0-7ILOilo][0-9A-TV-Za-tv-z]{25}\z/)
  end

  # References whose column does not have the type of the key, of all models that are loaded.
  def self.mismatches
    references = ActiveRecord::Base.descendants.reject(&:abstract_class?).flat_map { |model| model._reflections.values }
    references.reject! { |r| r.polymorphic? || r.options[:through] || r.macro == :has_and_belongs_to_many }
    references.filter_map do |r|
      sides = [[r.active_record, r.join_foreign_key], [r.klass, r.join_primary_key]].map do |model, key|
        ["#{model.table_name}.#{key}", model.columns_hash[key.to_s]&.sql_type]
      end
      types = sides.filter_map(&:last)
      sides.sort.map { |side| side.join(" is ") }.join(", ") if types.include?("ulid") && types.uniq.size == 2
    end.uniq
  end

  def self.time?(value)
    value.acts_like?(:time) || value.acts_like?(:date)
  end

  class Type < ActiveRecord::Type::Value
    def type
      :ulid
    end

    # Accepts any value, because `SELECT id::timestamptz` returns a time under the name of the column.
    def deserialize(value)
      value
    end

    def serialize(value)
      cast(value)
    end

    private

    # An invalid id becomes nil, as for a uuid column: find finds nothing, and an empty form field is NULL.
    def cast_value(value)
      raise ArgumentError, "a time is not a valid ULID: #{value}" if Pgulid.time?(value)

      Pgulid.parse(value).freeze
    end
  end

  # Until the application is restarted, a column that was a uuid when it was loaded reads and writes ULIDs as UUIDs.
  module UuidColumn
    private

    def cast_value(value)
      return super unless Pgulid.ulid?(value)

      hex = Pgulid.parse(value).tr(DIGITS, "0-9a-v").to_i(32).to_s(16).rjust(32, "0")
      hex.unpack("a8a4a4a4a12").join("-")
    end
  end

  # Ruby reads the number 1 in "01HW...", so Rails would store 1, and find the row 1.
  module IntegerColumn
    def deserialize(value)
      super(Pgulid.number(value))
    end

    private

    def cast_value(value)
      super(Pgulid.number(value))
    end
  end

  def self.number(value)
    return value unless ulid?(value) && value.match?(/\D/)

    raise Mismatch, "#{value} is a ULID, but the column is an integer: see Pgulid.mismatches"
  end

  module Find # no row has such a key
    def find(*ids)
      super
    rescue Mismatch => e
      raise ActiveRecord::RecordNotFound, e.message
    end
  end

  module Adapter
    # A string default may be a function call, as for a uuid column.
    def quote_default_expression(value, column)
      column.type == :ulid && value.is_a?(String) && value.include?("()") ? value : super
    end

    # Looks up the type by name, because a schema cache can have the OID of another database.
    def lookup_cast_type_from_column(column)
      return super unless column.sql_type == "ulid"

      column.array ? ActiveRecord::ConnectionAdapters::PostgreSQL::OID::Array.new(Type.new) : Type.new
    end

    private

    # If Active Record asks for the type of an array, it also needs the type of the elements.
    def load_additional_types(oids = nil)
      type_map.register_type("ulid", Type.new)
      found = @raw_connection.exec("SELECT oid FROM pg_type WHERE typname IN ('ulid', '_ulid')") if oids
      oids |= found.map { |row| row["oid"].to_i } if oids
      super(oids)
    end
  end

  module Dumper # schema.rb says of a key without a default that it has none
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

  module TimeRange # where(id: 1.hour.ago..)
    def call(attribute, range)
      return super if [range.begin, range.end].none? { |bound| Pgulid.time?(bound) }
      return super unless attribute.relation.type_for_attribute(attribute.name).type == :ulid

      from, to = [range.begin, range.end].map do |time|
        Arel.sql("timestamptz '#{time.in_time_zone.utc.iso8601(6)}'") if Pgulid.time?(time)
      end
      lower = attribute.gteq(from) if from
      upper = range.exclude_end? ? attribute.lt(to) : attribute.lteq(to) if to
      lower && upper ? lower.and(upper) : lower || upper
    end
  end

  module Fixtures # the id of a label: a time before that of every other row, and what a column of type uuid would have
    def identify(label, column_type = :integer)
      column_type == :ulid ? "00VHNCZB00#{Pgulid.parse(super(label, :uuid))[10..]}" : super
    end
  end

  adapters = ActiveRecord::ConnectionAdapters
  adapters::PostgreSQLAdapter::NATIVE_DATABASE_TYPES[:ulid] = { name: "ulid" }
  adapters::PostgreSQLAdapter.prepend(Adapter)
  Uuid.prepend(UuidColumn)
  ActiveModel::Type::Integer.prepend(IntegerColumn)
  ActiveRecord::Base.singleton_class.prepend(Find)
  ActiveRecord::Relation.prepend(Find)
  adapters::PostgreSQL::SchemaDumper.prepend(Dumper)
  adapters::PostgreSQL::Table.include(Column)
  adapters::PostgreSQL::TableDefinition.include(Column)
  adapters::PostgreSQL::TableDefinition.prepend(PrimaryKey)
  ActiveRecord::PredicateBuilder::RangeHandler.prepend(TimeRange)
  ActiveRecord::FixtureSet.singleton_class.prepend(Fixtures)
  ActiveRecord::Type.register(:ulid, Type, adapter: :postgresql)
end
