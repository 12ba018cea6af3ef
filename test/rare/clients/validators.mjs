// What validators of UUIDs accept of each generator's ids, against the table of clients/README.md.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { isUUID } from 'class-validator';
import Joi from 'joi';
import pg from 'pg';
import { validate } from 'uuid';
import validator from 'validator';
import * as yup from 'yup';
import { z } from 'zod';

function equal(name, got, expected) {
  console.log(isDeepStrictEqual(got, expected) ? `ok - ${name}` : `not ok - ${name}\n# got ${JSON.stringify(got)}`);
}
const ajv = new Ajv();
formats.default(ajv);
const each = accepts => ids => ids.filter(id => accepts(id)).length;
const piped = (...command) => ids =>
  Number(spawnSync(command[0], command.slice(1), { input: ids.join('\n'), encoding: 'utf8' }).stdout);
const php = (setup, accepts) => piped('php', '-r', `error_reporting(E_ALL & ~E_DEPRECATED); ${setup}
  echo count(array_filter(file('php://stdin', FILE_IGNORE_NEW_LINES), fn($id) => ${accepts}));`);

// Debian 12 has 5.4, which knows the versions up to 6.
const symfony = existsSync('/usr/share/php/Symfony/Component/Uid/UuidV7.php') ? 7 : 5;

const validators = {
  'uuid: `validate`': each(validate),
  'zod: `uuid`': each(id => z.uuid().safeParse(id).success),
  'zod: `uuidv7`': each(id => z.uuidv7().safeParse(id).success),
  'zod: `guid`': each(id => z.guid().safeParse(id).success),
  'class-validator: `isUUID`': each(id => isUUID(id)),
  'validator: `isUUID`': each(id => validator.isUUID(id)),
  'yup: `uuid`': each(id => yup.string().uuid().isValidSync(id)),
  'joi: `guid`': each(id => !Joi.string().guid().validate(id).error),
  'ajv-formats: `uuid`': each(ajv.compile({ type: 'string', format: 'uuid' })),
  [`Symfony ${symfony}: \`Uuid\``]: php(`require 'Symfony/Component/Validator/autoload.php';
    $validator = Symfony\\Component\\Validator\\Validation::createValidator();
    $rule = new Symfony\\Component\\Validator\\Constraints\\Uuid();`, 'count($validator->validate($id, $rule)) === 0'),
  'Laravel: `uuid`': php("require 'Illuminate/Support/autoload.php';", 'Illuminate\\Support\\Str::isUuid($id)'),
  'Python: `uuid.UUID`': piped('/usr/bin/python3', '-c',
    'import sys, uuid; print(len([uuid.UUID(id) for id in sys.stdin.read().split()]))'),
};

const page = readFileSync(new URL('../../../clients/README.md', import.meta.url), 'utf8');
const rows = page.matchAll(/^\| (\S.*) \| (\d+) % \| (\d+) % \|$/gm);
const table = new Map([...rows].map(([, name, ...shares]) => [name, shares.map(Number)]));
equal('the table has each validator',
  [...table.keys()].filter(name => name !== `Symfony ${12 - symfony}: \`Uuid\``).sort(),
  Object.keys(validators).sort());

const client = new pg.Client();
await client.connect();
const generate = async (call, condition = 'true') =>
  (await client.query(`SELECT ${call} AS id FROM generate_series(1, 2000) i WHERE ${condition}`))
    .rows.map(row => row.id);
// A ULID has any of 16 versions and 4 variants. Every one of them is in `kinds`, as often as any other.
const pause = 'pg_sleep(0.001 + 0 * i) IS NOT NULL'; // the ids of one millisecond have the same
const ulids = { gen_ulid: await generate('gen_ulid()::uuid', pause),
  gen_random_ulid: await generate('gen_random_ulid()::uuid') };
for (const [generator, made] of Object.entries(ulids)) {
  equal(`${generator}() makes every version and variant`, new Set(made.map(id => id[14] + (parseInt(id[19],
    16) >> 2))).size, 64);
}
const id = ulids.gen_ulid[0];
const kinds = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'))
  .map(([version, variant]) => id.slice(0, 14) + version + id.slice(15, 19) + variant + id.slice(20));
const generators = {
  ulid: [kinds, name => table.get(name)[0]],
  'gen_uuidv7()': [await generate('gen_uuidv7()'), name => table.get(name)[1]],
};
for (const [generator, [ids, expected]] of Object.entries(generators)) {
  for (const [name, count] of Object.entries(validators)) {
    const share = expected(name), got = 100 * count(ids) / ids.length; // exactly, but for the rounding on the page
    equal(`${name} of ${generator}: ${share} %`, Math.abs(got - share) <= (share % 100 && 0.5) || got, true);
  }
}
await client.end();
