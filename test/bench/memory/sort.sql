SELECT id FROM shuffled_:kind ORDER BY id OFFSET :rows;
