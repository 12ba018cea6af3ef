SELECT sum(n) FROM period JOIN item_ulid ON id >= period.at AND id < until;
