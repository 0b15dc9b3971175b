import fc from 'fast-check';
import { alternatives, itemsOf, type Schema, typeOf } from '../torture/bad-input/samples.ts';
import type { Sketch } from './sketch.ts';
import { seenAs, valuesByName } from './words.ts';

/** Values of a schema: mostly acceptable ones, as far as schema and names of fields tell. */
export function valuesOf(root: Schema): fc.Arbitrary<Sketch> {
  return build({ root, schema: root, name: '', depth: 0 });
}

/** Values for each property of an object's schema; for the parameters of a query, for example. */
export function propertiesOf(root: Schema): Record<string, fc.Arbitrary<Sketch>> {
  return Object.fromEntries(
    Object.entries(root.properties ?? {}).map(([name, schema]) => [name, build({ root, schema: schema as Schema, name, depth: 1 })]),
  );
}

type Place = { root: Schema; schema: Schema; name: string; depth: number };

const DEEPEST = 6;
const LIST_MAX = 4;

function build({ root, schema, name, depth }: Place): fc.Arbitrary<Sketch> {
  if (depth > DEEPEST) return fc.constantFrom<Sketch>(null, 1, 'x');
  const all = alternatives(root, schema);
  const real = all.filter((one) => typeOf(one) !== 'null');
  const made = real.map((one) => single({ root, schema: one, name, depth }));
  const value = made.length === 1 && made[0] ? made[0] : fc.oneof(...made);
  const isNullable = real.length < all.length || (Array.isArray(schema.type) && schema.type.includes('null'));
  if (made.length === 0) return fc.constant(null);
  return isNullable ? fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }) : value;
}

function single({ root, schema, name, depth }: Place): fc.Arbitrary<Sketch> {
  if (schema.const !== undefined) return fc.constant(schema.const as Sketch);
  const type = typeOf(schema);
  if (type === 'object') return objects({ root, schema, name, depth });
  if (type === 'array') {
    const item = build({ root, schema: itemsOf(schema), name, depth: depth + 1 });
    const least = Math.min(schema.minItems ?? 0, LIST_MAX);
    return fc.array(item, { minLength: least, maxLength: Math.max(least, Math.min(LIST_MAX, schema.maxItems ?? LIST_MAX)) });
  }
  const plain = schema.enum ? fc.constantFrom(...(schema.enum as Sketch[])) : leaves(schema, type);
  const named = valuesByName(name, plain);
  if (named) return named;
  // An answer may have shown what is asked for, such as the version of a record.
  return schema.enum || type === 'boolean' || name === '' ? plain : fc.oneof({ weight: 6, arbitrary: plain }, seenAs(name, plain, 4));
}

function objects({ root, schema, depth }: Place): fc.Arbitrary<Sketch> {
  const required = new Set(schema.required ?? []);
  const entries = Object.entries(schema.properties ?? {});
  const own = fc.record(
    Object.fromEntries(entries.map(([key, child]) => [key, build({ root, schema: child as Schema, name: key, depth: depth + 1 })])),
    {
      requiredKeys: entries.map(([key]) => key).filter((key) => required.has(key)),
      noNullPrototype: true,
    },
  );
  const more = schema.additionalProperties;
  if (typeof more !== 'object') return own;
  const extra = fc.dictionary(keys, build({ root, schema: more as Schema, name: '', depth: depth + 1 }), {
    maxKeys: 3,
    noNullPrototype: true,
  });
  return fc.tuple(own, extra).map(([a, b]) => ({ ...b, ...a }));
}

const keys = fc.oneof(fc.constantFrom('a', 'b', 'name', 'id', 'ß', ''), fc.string({ maxLength: 8, unit: 'grapheme' }));

function leaves(schema: Schema, type: string | undefined): fc.Arbitrary<Sketch> {
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integers(schema);
    case 'number':
      return fc.oneof(fc.nat({ max: 1000 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
    case 'string':
      return texts(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 }).map((value) => value as Sketch);
  }
}

function integers({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Schema): fc.Arbitrary<Sketch> {
  const [low, high] = [Math.ceil(minimum), Math.floor(maximum)];
  const least = Math.max(low, Math.min(0, high));
  return fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: least, max: Math.min(high, least + 40) }) },
    { weight: 1, arbitrary: fc.integer({ min: low, max: high }) },
    { weight: 1, arbitrary: fc.constantFrom(low, high) },
  );
}

const DATES = ['2026-01-01', '2026-05-31', '2028-02-29', '1970-01-01', '9999-12-31'];
const TIMES = ['2026-05-01T00:00:00Z', '2026-05-01T12:30:00.123+02:00', '9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z'];
/** A boundary is tried where its text is not too long. */
const LONG_MAX = 1000;

function texts({ format, pattern, minLength = 0, maxLength = 255 }: Schema): fc.Arbitrary<Sketch> {
  if (format === 'date') return fc.constantFrom(...DATES);
  if (format === 'date-time') return fc.constantFrom(...TIMES);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const least = Math.min(minLength, LONG_MAX);
  const most = Math.max(least, Math.min(maxLength, LONG_MAX));
  const shaped = { minLength: least, maxLength: Math.min(most, Math.max(least, 20)) };
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom('a', 'first', 'second', 'Straße', 'e\u0301', '  spaces  ', '🙂').filter((text) => text.length <= most),
    },
    { weight: 2, arbitrary: fc.string({ ...shaped, unit: 'grapheme' }) },
    { weight: 1, arbitrary: fc.string({ ...shaped, unit: 'binary' }) },
    { weight: 1, arbitrary: fc.constantFrom('x'.repeat(most), '𝒳'.repeat(most), 'x'.repeat(most + 1)) },
  );
}
