// PostGraphile, with the plug-in of doc/pipelines.md and without it. Prints TAP.
import './node22.mjs'
import http from 'node:http'
import pg from 'pg'
import { postgraphile } from 'postgraphile'
import { TYPES } from 'postgraphile/@dataplan/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'
import { makePgService } from 'postgraphile/adaptors/pg'
import { sql } from 'postgraphile/pg-sql2'

const UlidPlugin = { name: 'UlidPlugin',
  gather: { hooks: { pgCodecs_findPgCodec(info, event) {
    const { pgType, serviceName } = event, schemaName = pgType.getNamespace().nspname
    if (!event.pgCodec && pgType.typname === 'ulid')
      event.pgCodec = { ...TYPES.text, name: 'ulid', sqlType: sql.identifier(schemaName, 'ulid'),
        extensions: { oid: pgType._id, pg: { serviceName, schemaName, name: 'ulid' } } } } } },
  schema: { hooks: { init: { after: ['PgCodecs'], callback(_, build) {
    for (const codec of Object.values(build.input.pgRegistry.pgCodecs))
      if (codec.name === 'ulid')
        build.setGraphQLTypeForPgCodec(codec, ['input', 'output'], 'String')
    return _ } } } } }

const A = '01HWT0D7G004HMASW9NF6YY081', connectionString =
  `postgres://${process.env.PGUSER}@127.0.0.1:${process.env.PGPORT}/${process.env.PGDATABASE}`
const client = new pg.Client({ connectionString })
await client.connect()
await client.query(`CREATE SCHEMA app; CREATE TABLE app.item (id ulid PRIMARY KEY DEFAULT gen_ulid(), body text, refs ulid[]);
  INSERT INTO app.item VALUES ('${A}', 'a', '{${A},NULL}')`)
await client.end()
const equal = (name, got, expected) => console.log([got, expected].map(x => JSON.stringify(x)).reduce((g, e) =>
  g === e ? `ok - ${name}` : `not ok - ${name}\n# got ${g}\n# expected ${e}`))

async function answers(plugins, ...queries) {
  const service = postgraphile({ extends: [PostGraphileAmberPreset], plugins,
    pgServices: [makePgService({ connectionString, schemas: ['app'] })] })
  const server = http.createServer()
  await service.createServ(grafserv).addTo(server)
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const results = []
  for (const query of ['{ __type(name: "Item") { fields { name } } }', ...queries]) {
    const response = await fetch(`http://127.0.0.1:${server.address().port}/graphql`,
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })
    results.push((await response.json()).data)
  }
  server.close()
  await service.release()
  return [results[0].__type.fields.map(field => field.name).join(' '), ...results.slice(1)]
}

equal('without a plug-in the columns are left out', await answers([]), ['id body'])
const [fields, byId, all, created] = await answers([UlidPlugin], `{ itemByRowId(rowId: "${A.toLowerCase()}") { rowId refs } }`,
  `{ allItems(condition: { rowId: "${A}" }) { nodes { body } } }`, 'mutation { createItem(input: { item: { body: "b" } }) { item { rowId } } }')
equal('with it they are there', fields, 'id rowId body refs')
equal('a lookup by an id in lower case, and an array with NULL', byId, { itemByRowId: { rowId: A, refs: [A, null] } })
equal('a condition', all, { allItems: { nodes: [{ body: 'a' }] } })
equal('an id by default', created.createItem.item.rowId.length, 26)
