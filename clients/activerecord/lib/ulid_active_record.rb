require "active_record"
require "active_record/connection_adapters/postgresql_adapter"

module UlidActiveRecord
  class Type < ActiveRecord::Type::String
    def type
      :ulid
    end

    private

    def cast_value(value) # as the server will give it back
      value.is_a?(::String) ? value.upcase.tr("ILO", "110").freeze : super
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

  adapters = ActiveRecord::ConnectionAdapters
  adapters::PostgreSQLAdapter::NATIVE_DATABASE_TYPES[:ulid] = { name: "ulid" }
  adapters::PostgreSQLAdapter.prepend(TypeMap)
  adapters::PostgreSQL::Table.include(Column)
  adapters::PostgreSQL::TableDefinition.include(Column)
  adapters::PostgreSQL::TableDefinition.prepend(PrimaryKey)
  ActiveRecord::Type.register(:ulid, Type, adapter: :postgresql)
end
