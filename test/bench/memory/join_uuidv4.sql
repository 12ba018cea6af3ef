SELECT sum(n) FROM period JOIN item_uuidv4 ON created >= period.at AND created < until;
