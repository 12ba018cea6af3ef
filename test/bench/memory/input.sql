SELECT count(CAST(id AS :type)) FROM text_:kind;
