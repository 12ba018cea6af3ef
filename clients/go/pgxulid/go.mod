module example.org/ulid/clients/go/pgxulid

go 1.23.0

require (
	example.org/ulid/clients/go v1.0.0
	github.com/jackc/pgx/v5 v5.7.6
	github.com/oklog/ulid/v2 v2.1.2
)

require (
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	golang.org/x/crypto v0.37.0 // indirect
	golang.org/x/text v0.24.0 // indirect
)

replace example.org/ulid/clients/go => ../
