module example.org/ulid/clients/go

go 1.21

require github.com/oklog/ulid/v2 v2.1.2
