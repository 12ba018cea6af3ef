module clients

go 1.26.0

replace pgulid => ../../clients/go

require (
	entgo.io/ent v0.14.5
	github.com/jackc/pgx/v5 v5.13.0
	github.com/lib/pq v1.12.3
	github.com/oklog/ulid/v2 v2.1.2
	gorm.io/driver/postgres v1.6.3
	gorm.io/gorm v1.31.2
	pgulid v0.0.0
)
