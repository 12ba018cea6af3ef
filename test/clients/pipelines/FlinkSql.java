package clients;

/** Flink CDC's connector for SQL, which contains Debezium 1.9. */
class FlinkSql extends Flink {
}
