const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const aliases = { I: '1', L: '1', O: '0' };
const ulid = /^[0-7ilo][0-9a-tv-z]{25}$/i; // without the flag u, i folds ASCII only
const uuid = /^(?:[0-9a-f]{4}-?){7}[0-9a-f]{4}$|^\{(?:[0-9a-f]{4}-?){7}[0-9a-f]{4}\}$/i;

export function isValid(value) {
  return typeof value === 'string' && (ulid.test(value) || uuid.test(value));
}

export function parse(value) {
  if (!isValid(value)) throw new TypeError(`not a valid ULID: ${String(JSON.stringify(value))}`);
  if (value.length === 26) return value.toUpperCase().replace(/[ILO]/g, letter => aliases[letter]);
  const number = BigInt(`0x${value.replace(/[-{}]/g, '')}`).toString(32).padStart(26, '0');
  return number.replace(/./g, digit => digits[parseInt(digit, 32)]);
}
