# RPostgreSQL.
source("message.R")
count <- 0
equal <- function(name, got, expected) {
  count <<- count + 1
  ok <- isTRUE(all.equal(got, expected))
  cat(if (ok) "" else "not ", "ok ", count, " - ", name, "\n", sep = "")
  if (!ok) cat("# got ", format(got), "\n# expected ", format(expected), "\n")
}
pages <- paste(unlist(lapply(Sys.glob(file.path(Sys.getenv("PAGES"), "*.md")), readLines)), collapse = "\n")
fails <- function(message, work) {
  got <- tryCatch({ force(work); "no error" }, warning = conditionMessage, error = conditionMessage)
  equal(paste("fails:", message), grepl(message, got, fixed = TRUE), TRUE)
  equal("as a page says", grepl(message, pages, fixed = TRUE), TRUE)
}
ids <- c("01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3")
hours <- function(n) as.POSIXct("2024-05-01 12:00:00", tz = "UTC") + n * 3600

id <- add("hello")
equal("a default comes back as text", nchar(id), 26)
equal("a text finds its row", those(id)$body, "hello")
invisible(dbGetQuery(connection, "DELETE FROM message"))
invisible(copy_in(data.frame(id = ids, body = c("x", "y", NA))))
equal("COPY, and any of many", those(ids[c(1, 3)])$id, ids[c(1, 3)])
equal("range by time", between(hours(1), hours(2))$id, ids[2])
equal("to the millisecond", between(hours(1) + .001, hours(2) + .001)$id, ids[3])
equal("a page after a cursor", page_after(ids[1], 1)$id, ids[2])
equal("null", is.na(dbGetQuery(connection, "SELECT NULL::ulid::text AS id")$id), TRUE)
equal("NA as a parameter, as the page says", dbGetQuery(connection, "SELECT $1::text AS body", NA)$body, "NA")
printed <- system2("Rscript", c("-e", shQuote("source('message.R'); dbGetQuery(connection, 'SELECT $1::ulid', NA)")), stdout = TRUE, stderr = TRUE)
fails('invalid input syntax for type ulid: "NA"', stop(paste(printed, collapse = "\n")))
equal("made null", is.na(dbGetQuery(connection, "SELECT nullif($1, 'NA')::ulid::text AS id", NA)$id), TRUE)
equal("an NA of dbWriteTable", dbGetQuery(connection, "SELECT id::text FROM message WHERE body IS NULL")$id, ids[3])
fails("unrecognized PostgreSQL field type ulid", dbGetQuery(connection, "SELECT id FROM message"))
fails("Could not create execute: SELECT", dbGetQuery(connection, "SELECT FROM message WHERE id = ANY($1)", ids[1:2]))
fails("invalid input syntax for type ulid: \"no ulid\"", copy_in(data.frame(id = "no ulid", body = "x")))

array <- function(ids) paste0("{", paste(ids, collapse = ","), "}")
invisible(dbGetQuery(connection, "ALTER TABLE message ADD mentions ulid[]"))
invisible(dbGetQuery(connection, "UPDATE message SET mentions = $1 WHERE id = $2", c(array(ids), ids[1])))
invisible(copy_in(data.frame(id = "01HWT78YR004HMASW9NF6YY0R4", body = "copied", mentions = array(ids[1:2]))))
equal("an array column is text, with COPY too",
      dbGetQuery(connection, "SELECT mentions FROM message WHERE mentions IS NOT NULL ORDER BY id")$mentions, c(array(ids), array(ids[1:2])))
equal("a row for each id", dbGetQuery(connection, "SELECT unnest(mentions)::text AS id FROM message WHERE id = $1", ids[1])$id, ids)
type <- function(table) dbGetQuery(connection, paste("SELECT pg_typeof(id)::text AS type FROM", table, "LIMIT 1"))$type
invisible(dbWriteTable(connection, "plain", data.frame(id = ids), row.names = FALSE))
invisible(dbWriteTable(connection, "typed", data.frame(id = ids), row.names = FALSE, field.types = list(id = "ulid")))
fails('null value in column "id" of relation "message" violates not-null constraint', copy_in(data.frame(id = c(ids[1], NA), body = "x")))
naive <- function(hour) dbGetQuery(connection, "SELECT id::text FROM message WHERE id >= $1::timestamptz", as.POSIXct(hour, origin = "1970-01-01"))$id
equal("a POSIXct as a parameter has no zone, as the page says",
      identical(naive(hours(1)), dbGetQuery(connection, "SELECT id::text FROM message WHERE id >= '2024-05-01 13:00+00'::timestamptz")$id), FALSE)
invisible(dbWriteTable(connection, "typed", data.frame(id = ids), overwrite = TRUE, row.names = FALSE))
equal("overwrite makes a table of text, as the page says", type("typed"), "text")
invisible(dbWriteTable(connection, "typed", data.frame(id = ids), overwrite = TRUE, row.names = FALSE, field.types = list(id = "ulid")))
equal("a table that it makes", c(type("plain"), type("typed")), c("text", "ulid"))
cat("1..", count, "\n", sep = "")
