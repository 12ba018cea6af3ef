// GORM with ids that the database makes.
package main

import (
	"pgulid"
	"time"

	"github.com/oklog/ulid/v2"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// doc/clients/go.md: type Boat struct {

func main() {
	db := must(gorm.Open(postgres.Open(""), &gorm.Config{Logger: logger.Discard}))
	check(db.AutoMigrate(&Boat{}, &Oar{}))
	types := func() (types []string) {
		check(db.Raw(`SELECT string_agg(attname || ' ' || format_type(atttypid, -1), ', ' ORDER BY attnum) FROM pg_attribute
			WHERE attrelid IN ('boats'::regclass, 'oars'::regclass) AND attnum > 0
			GROUP BY attrelid ORDER BY attrelid`).Scan(&types).Error)
		return
	}
	equal("AutoMigrate", types(), []string{"id ulid, name text", "id ulid, boat_id ulid"})
	changes := func() (changes []string) { // any ALTER TABLE writes rows of these
		check(db.Raw(`SELECT string_agg(xmin::text, ' ') FROM pg_attribute WHERE attrelid > 16384 UNION ALL
			SELECT string_agg(xmin::text, ' ') FROM pg_attrdef UNION ALL
			SELECT string_agg(xmin::text, ' ') FROM pg_constraint UNION ALL
			SELECT string_agg(xmin::text, ' ') FROM pg_class WHERE oid > 16384`).Scan(&changes).Error)
		return
	}
	before := changes()
	check(db.AutoMigrate(&Boat{}, &Oar{}))
	equal("AutoMigrate again changes nothing", changes(), before)

	start := time.Now()
	boat := Boat{Name: "hello", Oars: []Oar{{}, {}}}
	check(db.Create(&boat).Error)
	equal("the defaults come back", boat.ID == (pgulid.ID{}) || boat.Oars[1].ID == (pgulid.ID{}), false)
	equal("the child has the parent's id", *boat.Oars[1].BoatID, boat.ID)
	var found Boat
	check(db.Preload("Oars").First(&found, "id = ?", boat.ID).Error)
	equal("Preload", found.Oars, boat.Oars)
	boats := make([]Boat, 100)
	boats[7].ID = pgulid.New()
	given := boats[7].ID
	check(db.CreateInBatches(boats, 50).Error)
	equal("a batch, with one id given", []any{boats[7].ID, boats[99].ID == pgulid.ID{}}, []any{given, false})
	equal("a range of time", len(must(boatsBetween(db, start, time.Now().Add(time.Minute)))), 101)
	var some []Boat
	check(db.Find(&some, "id IN ?", []pgulid.ID{boat.ID, given}).Error)
	equal("ids as a list", len(some), 2)
	check(db.Find(&some, []pgulid.ID{boat.ID, given}).Error)
	equal("and as the key", len(some), 2)
	check(db.Create(&Oar{}).Error)
	var oar Oar
	check(db.First(&oar, "boat_id IS NULL").Error)
	equal("NULL", oar.BoatID == nil, true)

	fails("invalid input syntax for type ulid", db.First(&found, "id = ?", "not an id").Error)
	fails(`invalid input syntax for type ulid: "\x`, db.Exec("INSERT INTO boats (id) VALUES (?)", ulid.Make()).Error)
}
