package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	pgulid "example.org/ulid/clients/go"
)

var ulid = map[string]string{dialect.Postgres: "ulid"}

type Boat struct{ ent.Schema }

func (Boat) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", pgulid.ID{}).SchemaType(ulid).Default(pgulid.New).
			Annotations(entsql.DefaultExpr("gen_ulid()")),
		field.String("name").Default(""),
	}
}

func (Boat) Edges() []ent.Edge { return []ent.Edge{edge.To("oars", Oar.Type)} }

type Oar struct{ ent.Schema }

func (Oar) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", pgulid.ID{}).SchemaType(ulid).Default(pgulid.New),
		field.UUID("boat_id", pgulid.ID{}).SchemaType(ulid).Optional(),
	}
}

func (Oar) Edges() []ent.Edge {
	return []ent.Edge{edge.From("boat", Boat.Type).Ref("oars").Field("boat_id").Unique()}
}
