{# dbt asks information_schema.columns, which calls types of extensions USER-DEFINED. #}
{% macro postgres__get_columns_in_relation(relation) -%}
  {% call statement('get_columns_in_relation', fetch_result=True) %}
    select column_name,
      case when data_type in ('USER-DEFINED', 'ARRAY') then format_type(atttypid, atttypmod) else data_type end,
      character_maximum_length, numeric_precision, numeric_scale
    from {{ relation.information_schema('columns') }}
    join pg_attribute on attrelid = format('%I.%I', table_schema, table_name)::regclass and attname = column_name
    where table_name = '{{ relation.identifier }}'
      {% if relation.schema %} and table_schema = '{{ relation.schema }}' {% endif %}
    order by ordinal_position
  {% endcall %}
  {{ return(sql_convert_columns_in_relation(load_result('get_columns_in_relation').table)) }}
{% endmacro %}
