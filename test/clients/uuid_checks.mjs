// What checks the version of a UUID, of ULIDs in uuid columns: as the page says.
import { DataTypes } from 'sequelize';
import pg from 'pg';
import * as uuid from 'uuid';
import validator from 'validator';
import { z as zod3 } from 'zod';
import { z as zod4 } from 'zod/v4';
import { done, equal } from './tap.mjs';

const client = new pg.Client();
await client.connect();
const ids = (await client.query('SELECT gen_random_ulid()::uuid AS id FROM generate_series(1, 2000)')).rows.map(({ id }) => id);
await client.end();
const sequelize = id => {
  try {
    return new DataTypes.UUID().validate(id);
  } catch (error) {
    if (error.message.endsWith('is not a valid uuid')) return false;
    throw error;
  }
};
const taken = check => Math.round(8 * ids.filter(check).length / ids.length);
equal('refuse seven of eight', [id => validator.isUUID(id), id => uuid.validate(id), id => zod4.uuid().safeParse(id).success, sequelize].map(taken), [1, 1, 1, 1]);
equal('take all', [id => validator.isUUID(id, 'loose'), id => zod4.guid().safeParse(id).success, id => zod3.string().uuid().safeParse(id).success].map(taken), [8, 8, 8]);
done();
