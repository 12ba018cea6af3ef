require "active_record"
require "active_record/connection_adapters/postgresql_adapter"
require "active_record/fixtures"

module UlidActiveRecord
  class Type < ActiveRecord::Type::String
    def type
      :ulid
    end

    private

    def cast_value(value) # as the server will give it back; an empty field of a form is null
      value.is_a?(::String) ? value.upcase.tr("ILO", "110").presence.freeze : super
    end
  end

  # Before the arrays are loaded, so that theirs is known too.
  module TypeMap
    private

    def load_additional_types(*)
      type_map.register_type("ulid", Type.new)
      super
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

  module Fixtures # the id of a label, in the first of all milliseconds
    def identify(label, column_type = :integer)
      return super unless column_type == :ulid

      hash = Digest::UUID.uuid_v5(Digest::UUID::OID_NAMESPACE, label.to_s).delete("-").hex % (1 << 80)
      hash.to_s(32).rjust(26, "0").tr("0-9a-v", "0-9A-HJKMNP-TV-Z")
    end
  end

  adapters = ActiveRecord::ConnectionAdapters
  adapters::PostgreSQLAdapter::NATIVE_DATABASE_TYPES[:ulid] = { name: "ulid" }
  adapters::PostgreSQLAdapter.prepend(TypeMap)
  adapters::PostgreSQL::Table.include(Column)
  adapters::PostgreSQL::TableDefinition.include(Column)
  adapters::PostgreSQL::TableDefinition.prepend(PrimaryKey)
  ActiveRecord::FixtureSet.singleton_class.prepend(Fixtures)
  ActiveRecord::Type.register(:ulid, Type, adapter: :postgresql)
end
