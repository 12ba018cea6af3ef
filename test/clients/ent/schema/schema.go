package schema

import (
	"pgulid"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
)

// doc/clients/go.md: var ulid

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
