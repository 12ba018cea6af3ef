// The oldest versions that are tested. README.md has the command, for a copy of this file.
module example.org/ulid/clients/go/tests

go 1.26.0

require (
	entgo.io/ent v0.14.0
	example.org/ulid/clients/go v1.0.0
	example.org/ulid/clients/go/pgxulid v1.0.0
	github.com/jackc/pgx/v5 v5.7.6
	github.com/lib/pq v1.10.9
	github.com/oklog/ulid/v2 v2.1.2
	gorm.io/driver/postgres v1.5.11
	gorm.io/gorm v1.25.12
)

replace (
	example.org/ulid/clients/go => ../
	example.org/ulid/clients/go/pgxulid => ../pgxulid
)
