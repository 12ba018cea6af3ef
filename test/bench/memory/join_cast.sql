SELECT sum(n) FROM period JOIN item_ulid ON id::timestamptz >= period.at AND id::timestamptz < until;
