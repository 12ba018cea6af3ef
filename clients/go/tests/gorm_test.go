package tests

import (
	"testing"
	"time"

	"github.com/oklog/ulid/v2"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	pgulid "example.org/ulid/clients/go"
	. "example.org/ulid/clients/go/tests/server"
)

type Boat struct {
	ID   pgulid.ID `gorm:"default:gen_ulid()"`
	Name string
	Oars []Oar
}

type Oar struct {
	ID     pgulid.ID  `gorm:"default:gen_ulid()"`
	BoatID *pgulid.ID // NULL without a boat
	Boat   *Boat
}

func boatsBetween(db *gorm.DB, begin, end time.Time) (boats []Boat, err error) {
	err = db.Where("id >= ?::timestamptz AND id < ?::timestamptz", begin, end).Find(&boats).Error
	return
}

type Fleet struct {
	ID    pgulid.ID `gorm:"default:gen_ulid()"`
	Boats pgulid.IDs
}

func TestGorm(t *testing.T) {
	Database(t)
	db := Must(gorm.Open(postgres.Open(""), &gorm.Config{Logger: logger.Discard}))
	pool := Must(db.DB())
	t.Cleanup(func() { pool.Close() })
	migrate := func() error { return db.AutoMigrate(&Boat{}, &Oar{}, &Fleet{}) }
	Check(migrate())
	types := func() (types []string) {
		Check(db.Raw(`SELECT string_agg(attname || ' ' || format_type(atttypid, -1), ', ' ORDER BY attnum) FROM pg_attribute
			WHERE attrelid IN ('boats'::regclass, 'oars'::regclass, 'fleets'::regclass) AND attnum > 0
			GROUP BY attrelid ORDER BY attrelid`).Scan(&types).Error)
		return
	}
	Equal(t, "AutoMigrate", types(),
		[]string{"id ulid, name text", "id ulid, boat_id ulid", "id ulid, boats ulid[]"})
	Check(db.Exec(`CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''a change''; END'`).Error)
	Check(db.Exec("CREATE EVENT TRIGGER refuse ON ddl_command_start EXECUTE FUNCTION refuse()").Error)
	Equal(t, "AutoMigrate again changes nothing", migrate(), nil)
	Check(db.Exec("DROP EVENT TRIGGER refuse").Error)

	start := time.Now()
	boat := Boat{Name: "hello", Oars: []Oar{{}, {}}}
	Check(db.Create(&boat).Error)
	Equal(t, "the defaults come back", boat.ID == (pgulid.ID{}) || boat.Oars[1].ID == (pgulid.ID{}), false)
	Equal(t, "the child has the parent's id", *boat.Oars[1].BoatID, boat.ID)
	var found Boat
	Check(db.Preload("Oars").First(&found, "id = ?", boat.ID).Error)
	Equal(t, "Preload", found.Oars, boat.Oars)
	boats := make([]Boat, 100)
	boats[7].ID = pgulid.New()
	given := boats[7].ID
	Check(db.CreateInBatches(boats, 50).Error)
	Equal(t, "a batch, with one id given", []any{boats[7].ID, boats[99].ID == pgulid.ID{}}, []any{given, false})
	Equal(t, "a range of time", len(Must(boatsBetween(db, start, time.Now().Add(time.Minute)))), 101)
	list := pgulid.IDs{boat.ID, given}
	for name, condition := range map[string][]any{
		"id IN ? with []ID": {"id IN ?", []pgulid.ID{boat.ID, given}}, "id IN ? with IDs converted": {"id IN ?", []pgulid.ID(list)},
		"id = ANY(?) with IDs": {"id = ANY(?)", list}, "[]ID as the key": {[]pgulid.ID{boat.ID, given}},
	} {
		var some []Boat
		Check(db.Find(&some, condition...).Error)
		Equal(t, name, len(some), 2)
	}
	Fails(t, `syntax error at or near "$1"`, db.Find(&[]Boat{}, "id IN ?", list).Error)
	Check(db.Create(&Oar{}).Error)
	var oar Oar
	Check(db.First(&oar, "boat_id IS NULL").Error)
	Equal(t, "NULL", oar.BoatID == nil, true)
	for _, fleet := range []Fleet{{Boats: list}, {Boats: pgulid.IDs{}}, {}} {
		var read Fleet
		Check(db.Create(&fleet).Error)
		Check(db.First(&read, "id = ?", fleet.ID).Error)
		Equal(t, "an array", read, fleet)
	}
	Fails(t, "invalid input syntax for type ulid", db.First(&found, "id = ?", "not an id").Error)
	Fails(t, `invalid input syntax for type ulid: "\x`, db.Exec("INSERT INTO boats (id) VALUES (?)", ulid.Make()).Error)
}
