SELECT count(:output(id)) FROM shuffled_:kind;
