import { z } from 'zod';

/** Makes valid bodies from the schemas of the contract, and lists the places in them where a bad value can be put. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Schema = z.core.JSONSchema.BaseSchema;
/** Returns a value that is valid in the shop for a field of this name, such as an existing id; undefined: none is known. */
export type Known = (name: string) => Json | undefined;
export type Place = { path: (string | number)[]; schema: Schema };

export function schemaOf(body: z.ZodType): Schema {
  return z.toJSONSchema(body, { io: 'input', unrepresentable: 'any', reused: 'inline' });
}

/** Makes an instance of a schema; `full`: with all optional fields. */
export function sample(root: Schema, known: Known, full: boolean): Json {
  return build(root, root, known, full, '');
}

/** All places of a schema; a container comes before the places in it. */
export function places(root: Schema): Place[] {
  const found: Place[] = [];
  collect(root, root, [], found);
  return found;
}

/** Returns a copy of `whole` with `value` at the place `path` (undefined: removed). Missing containers on the path are made. */
export function withValue(whole: Json, path: readonly (string | number)[], value: Json | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value ?? null;
  if (typeof key === 'number') {
    const list = Array.isArray(whole) ? [...whole] : [];
    list[key] = withValue(list[key] ?? null, rest, value);
    return list;
  }
  const object = { ...(isObject(whole) ? whole : {}) };
  if (rest.length === 0 && value === undefined) delete object[key];
  else
    Object.defineProperty(object, key, {
      value: withValue(object[key] ?? null, rest, value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return object;
}

export function isObject(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function build(root: Schema, schema: Schema, known: Known, full: boolean, name: string): Json {
  const one = chosen(root, schema);
  if (one.const !== undefined) return one.const as Json;
  const given = known(name);
  if (given !== undefined && fits(one, given)) return given;
  if (one.enum) return (one.enum[0] ?? null) as Json;
  switch (typeOf(one)) {
    case 'object': {
      const required = new Set(one.required ?? []);
      const entries = Object.entries(one.properties ?? {}).filter(([key]) => full || required.has(key));
      return Object.fromEntries(entries.map(([key, child]) => [key, build(root, child as Schema, known, full, key)]));
    }
    case 'array':
      return (one.minItems ?? 0) > 0 || full ? [build(root, itemsOf(one), known, full, name)] : [];
    case 'integer':
    case 'number':
      return Math.max(1, one.minimum ?? 1);
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return one.format === 'date' ? '2026-05-01' : one.format === 'date-time' ? '2026-05-01T00:00:00Z' : 'a';
  }
}

function fits(schema: Schema, value: Json): boolean {
  const type = typeOf(schema);
  if (type === 'integer' || type === 'number') return typeof value === 'number';
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return type === undefined || typeof value === type;
}

function collect(root: Schema, schema: Schema, path: (string | number)[], found: Place[]): void {
  const DEEPEST = 5;
  for (const one of alternatives(root, schema)) {
    if (path.length > 0 && !found.some((place) => place.path.join('/') === path.join('/'))) found.push({ path, schema: one });
    if (path.length >= DEEPEST) continue;
    for (const [key, child] of Object.entries(one.properties ?? {})) collect(root, child as Schema, [...path, key], found);
    if (typeOf(one) === 'array') collect(root, itemsOf(one), [...path, 0], found);
  }
}

/** The first alternative that is not null. */
function chosen(root: Schema, schema: Schema): Schema {
  const list = alternatives(root, schema);
  return list.find((one) => typeOf(one) !== 'null') ?? list[0] ?? schema;
}

/** What a value of the schema may be, with references followed: several where it is a union, else one. */
export function alternatives(root: Schema, schema: Schema): Schema[] {
  if (schema.$ref !== undefined) return alternatives(root, resolved(root, schema.$ref));
  const list = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (schema.allOf) return [Object.assign({}, schema, ...schema.allOf.flatMap((part) => alternatives(root, part as Schema)))];
  return list.length > 0 ? list.flatMap((part) => alternatives(root, part as Schema)) : [schema];
}

function resolved(root: Schema, reference: string): Schema {
  const name = reference.replace(/^#\/\$defs\//, '');
  const found = root.$defs?.[name];
  return typeof found === 'object' ? found : {};
}

export function itemsOf(schema: Schema): Schema {
  const { items } = schema;
  return typeof items === 'object' && !Array.isArray(items) ? items : {};
}

export function typeOf(schema: Schema): string | undefined {
  return Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
}
