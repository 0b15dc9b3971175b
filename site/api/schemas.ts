import { nameOf, type Schema } from './document.ts';
import { inlineCode } from './markdown.ts';

/** Tells the schemas of the document in words: types, limits, and the fields of objects, nested ones with their path. */

/** `words` and `limits` are text, not Markdown. */
export type Field = { name: string; type: string; required: boolean; limits: readonly string[]; words: string };
export type Schemas = Readonly<Record<string, Schema>>;

const NESTED_MOST = 4;
const ANY = 'any JSON';
/** What every id says of itself. */
export const OF_IDS = 'Identifier of a record';

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

export function textOf(schema: Schema, name: string): string {
  const value = schema[name];
  return typeof value === 'string' ? value : '';
}

const refOf = (schema: Schema): string | null => (typeof schema['$ref'] === 'string' ? nameOf(schema['$ref']) : null);

/** What a reference leads to, where that is no object: an enum or a limited text is told in its place. */
function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = refOf(schema);
  const target = name === null ? undefined : schemas[name];
  if (!target || isTold(target)) return schema;
  return { ...resolved(target, schemas), ...(schema['description'] === undefined ? {} : { description: schema['description'] }) };
}

/** Objects and what may be one of several of them have a section of their own. */
function isTold(schema: Schema): boolean {
  return isSchema(schema['properties']) || variantsOf(schema).some((one) => isSchema(one['properties']) || one['$ref'] !== undefined);
}

function variantsOf(schema: Schema): Schema[] {
  return [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
}

export function typeOf(given: Schema, schemas: Schemas): string {
  const schema = resolved(given, schemas);
  const name = refOf(schema);
  if (name !== null) return `[${name}](#object-${name})`;
  if (schema['const'] !== undefined) return inlineCode(JSON.stringify(schema['const']));
  if (Array.isArray(schema['enum']))
    return schema['enum'].map((one) => inlineCode(typeof one === 'string' && one !== '' ? one : JSON.stringify(one))).join(' or ');
  const variants = variantsOf(schema);
  if (variants.length > 0) return [...new Set(variants.map((one) => typeOf(one, schemas)))].join(' or ');
  const types = (Array.isArray(schema['type']) ? schema['type'] : [schema['type']]).map(String);
  return types.map((type) => oneType(type, schema, schemas)).join(' or ');
}

function oneType(type: string, schema: Schema, schemas: Schemas): string {
  const { items, format, contentMediaType } = schema;
  if (type === 'array') return isSchema(items) ? `list of ${typeOf(items, schemas)}` : 'list';
  if (type === 'object') {
    const values = schema['additionalProperties'];
    const of = !isSchema(schema['properties']) && isSchema(values) ? typeOf(values, schemas) : ANY;
    return of === ANY ? 'object' : `object of ${of}`;
  }
  if (type === 'null') return 'null';
  if (type === 'undefined') return ANY;
  if (format === 'binary' || contentMediaType !== undefined) return 'file';
  if (format === 'date-time') return 'timestamp';
  if (typeof format === 'string' && ['date', 'email', 'uri', 'uuid'].includes(format)) return `string (${format})`;
  return type;
}

/** Limits and default, in words. */
export function limitsOf(given: Schema, schemas: Schemas): string[] {
  const schema = resolved(given, schemas);
  const number = (name: string): number | null => (typeof schema[name] === 'number' ? schema[name] : null);
  const between = (least: number | null, most: number | null, unit: string): string[] => {
    const [low, high] = [least === 0 && unit !== '' ? null : least, most !== null && most >= Number.MAX_SAFE_INTEGER ? null : most];
    if (low !== null && low <= Number.MIN_SAFE_INTEGER) return between(null, high, unit);
    if (low !== null && low === high) return [`${shown(low)}${unit}`];
    if (low !== null && high !== null) return [`${shown(low)} to ${shown(high)}${unit}`];
    if (high !== null) return [`at most ${shown(high)}${unit}`];
    // Every id is at least 1.
    return low === null || (low === 1 && unit === '') ? [] : [`at least ${low}${unit}`];
  };
  const texts = [
    ...between(number('minimum') ?? plusOne(number('exclusiveMinimum')), number('maximum'), ''),
    ...between(number('minLength'), number('maxLength'), ' characters').map(singular),
    ...between(number('minItems'), number('maxItems'), ' entries').map(singular),
    ...(schema['default'] === undefined ? [] : [`default ${inlineCode(JSON.stringify(schema['default']))}`]),
  ];
  const { items } = schema;
  return [...texts, ...(isSchema(items) && refOf(items) === null ? limitsOf(items, schemas).map((text) => `each ${text}`) : [])];
}

const singular = (text: string): string => text.replace(/\b1 characters$/, '1 character').replace(/\b1 entries$/, '1 entry');
const plusOne = (value: number | null): number | null => (value === null ? null : value + 1);
const shown = (value: number): string => value.toLocaleString('en');

/** The fields of an object, those of nested objects after it with their path. */
export function fieldsOf(given: Schema, schemas: Schemas, prefix = '', depth = 0): Field[] {
  const name = refOf(given);
  const schema = name === null ? given : (schemas[name] ?? given);
  const own = Object.entries(isSchema(schema['properties']) ? schema['properties'] : {}).flatMap(([key, value]) => {
    if (!isSchema(value)) return [];
    const required = Array.isArray(schema['required']) && schema['required'].includes(key);
    const simple = resolved(value, schemas);
    const field: Field = {
      name: `${prefix}${key}`,
      type: typeOf(value, schemas),
      required,
      limits: limitsOf(value, schemas),
      words: textOf(simple, 'description').replace(OF_IDS, ''),
    };
    return [field, ...(depth < NESTED_MOST ? nestedOf(simple, schemas, `${prefix}${key}`, depth + 1) : [])];
  });
  return [...own, ...variantsOf(schema).flatMap((one) => variantFields(one, schemas, prefix, depth))];
}

function nestedOf(schema: Schema, schemas: Schemas, path: string, depth: number): Field[] {
  if (refOf(schema) !== null) return [];
  if (isSchema(schema['properties'])) return fieldsOf(schema, schemas, `${path}.`, depth);
  if (isSchema(schema['items'])) return nestedOf(schema['items'], schemas, `${path}[]`, depth);
  return variantsOf(schema).flatMap((one) => variantFields(one, schemas, `${path}.`, depth));
}

/** The fields of one variant of several; each tells by which value of its constant field it is chosen. */
function variantFields(given: Schema, schemas: Schemas, prefix: string, depth: number): Field[] {
  const name = refOf(given);
  const schema = name === null ? given : (schemas[name] ?? given);
  if (!isSchema(schema['properties'])) return [];
  if (name !== null && depth > 0) return [];
  const chosen = Object.entries(schema['properties']).find(([, value]) => isSchema(value) && value['const'] !== undefined);
  const by = chosen && isSchema(chosen[1]) ? `${chosen[0]}: ${JSON.stringify(chosen[1]['const'])}` : null;
  const fields = fieldsOf(schema, schemas, prefix, depth).filter((field) => field.name !== `${prefix}${chosen?.[0]}`);
  if (by === null) return fields;
  return fields.map((field) => ({ ...field, limits: [`with \`${by}\``, ...field.limits] }));
}

/** The names of the objects that a schema refers to, and those that these refer to. */
export function objectsIn(schema: unknown, schemas: Schemas, found = new Set<string>()): Set<string> {
  if (Array.isArray(schema)) for (const one of schema) objectsIn(one, schemas, found);
  if (!isSchema(schema)) return found;
  const name = refOf(schema);
  const target = name === null ? undefined : schemas[name];
  if (name !== null && target && !found.has(name)) {
    if (isTold(target)) found.add(name);
    objectsIn(target, schemas, found);
  }
  for (const value of Object.values(schema)) objectsIn(value, schemas, found);
  return found;
}
