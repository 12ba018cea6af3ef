// The oldest versions that are tested: GOWORK=off go test -modfile=oldest/go.mod ./...
module example.org/ulid/clients/go/tests

go 1.26.0

require (
	entgo.io/ent v0.14.0
	example.org/ulid/clients/go v1.0.0
	example.org/ulid/clients/go/pgxulid v1.0.0
	github.com/google/uuid v1.6.0
	github.com/jackc/pgx/v5 v5.7.6
	github.com/lib/pq v1.10.9
	github.com/oklog/ulid/v2 v2.1.2
	gorm.io/driver/postgres v1.5.11
	gorm.io/gorm v1.25.12
)

require (
	ariga.io/atlas v0.19.1-0.20240203083654-5948b60a8e43 // indirect
	github.com/agext/levenshtein v1.2.1 // indirect
	github.com/apparentlymart/go-textseg/v13 v13.0.0 // indirect
	github.com/go-openapi/inflect v0.19.0 // indirect
	github.com/google/go-cmp v0.6.0 // indirect
	github.com/hashicorp/hcl/v2 v2.13.0 // indirect
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	github.com/jackc/puddle/v2 v2.2.2 // indirect
	github.com/jinzhu/inflection v1.0.0 // indirect
	github.com/jinzhu/now v1.1.5 // indirect
	github.com/mitchellh/go-wordwrap v0.0.0-20150314170334-ad45545899c7 // indirect
	github.com/rogpeppe/go-internal v1.16.0 // indirect
	github.com/zclconf/go-cty v1.8.0 // indirect
	golang.org/x/crypto v0.37.0 // indirect
	golang.org/x/mod v0.21.0 // indirect
	golang.org/x/sync v0.13.0 // indirect
	golang.org/x/text v0.24.0 // indirect
)

replace (
	example.org/ulid/clients/go => ../
	example.org/ulid/clients/go/pgxulid => ../pgxulid
)
