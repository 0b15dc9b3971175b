import { z } from 'zod';
import type { Endpoint, Method } from './endpoint.ts';
import { endpointList } from './index.ts';

/**
 * The names that a body may have at each of its places (spec G6): those that it declares, and those that answers of the same
 * resource carry there, so that what a GET answered can be sent back. All is derived from the schemas.
 */
export type KnownNames = {
  /** The fields of an object, each with what is known of its value; undefined: no object is declared here. */
  fields?: ReadonlyMap<string, KnownNames | null>;
  /** Names that answers carry here and that the body does not declare. */
  shown?: ReadonlySet<string>;
  /** What is known of an object depends on the value of its field `by`. */
  kinds?: { by: string; of: ReadonlyMap<unknown, KnownNames> };
  /** What is known of each item of a list. */
  items?: KnownNames;
  /** What is known of each value of an object whose names are free. */
  values?: KnownNames;
};

/** The names of an endpoint's body. A body that is not declared has no fields. */
export function knownNamesOf(endpoint: Endpoint): KnownNames {
  const { records, lists } = answersFor(endpoint);
  return namesIn(endpoint.body ?? z.object({}), records, lists) ?? {};
}

/** Whether the body makes something: then it can send back no answer about it. */
export function makesSomething({ method, status, record }: Endpoint): boolean {
  return status === 201 || (method === 'POST' && record === undefined);
}

/** null: nothing in the value could be unknown. `shown`: schemas of answers at this place; `lists`: of answers that a list in it may send back. */
function namesIn(schema: unknown, shown: readonly unknown[], lists: readonly z.ZodArray[] = []): KnownNames | null {
  const plain = unwrapped(schema);
  if (plain instanceof z.ZodObject) return plain.def.catchall ? null : namesOfObject(plain, shown.flatMap(objectsIn), lists);
  if (plain instanceof z.ZodArray) {
    const items = namesIn(plain.element, shown.flatMap(elementsIn));
    return items && { items };
  }
  if (plain instanceof z.ZodRecord) {
    const values = namesIn(plain.valueType, []);
    return values && { values };
  }
  if (plain instanceof z.ZodDiscriminatedUnion) {
    const by = plain.def.discriminator;
    const of = plain.options.flatMap(objectsIn).flatMap((branch) => {
      const names = namesIn(branch, shown);
      return names ? literalsIn(branch.shape[by]).map((value): [unknown, KnownNames] => [value, names]) : [];
    });
    return { kinds: { by, of: new Map(of) } };
  }
  if (plain instanceof z.ZodUnion) return joined(plain.options.map((option) => namesIn(option, shown)));
  return null;
}

function namesOfObject({ shape }: z.ZodObject, shown: readonly z.ZodObject[], lists: readonly z.ZodArray[]): KnownNames {
  const fields = new Map<string, KnownNames | null>();
  for (const [name, schema] of Object.entries(shape)) {
    const same = shown.flatMap((object) => (name in object.shape ? [object.shape[name]] : []));
    fields.set(name, namesIn(schema, same.length > 0 ? same : lists));
  }
  const others = shown.flatMap((object) => Object.keys(object.shape)).filter((name) => !fields.has(name));
  return { fields, shown: new Set(others) };
}

/** Of a union without a discriminator, a name is known if one of its branches knows it. */
function joined(branches: readonly (KnownNames | null)[]): KnownNames | null {
  const known = branches.filter((one) => one !== null);
  const objects = known.flatMap(({ fields }) => (fields ? [fields] : []));
  const shown = new Set(known.flatMap((one) => [...(one.shown ?? [])]));
  const items = known.find((one) => one.items)?.items;
  const kinds = known.find((one) => one.kinds)?.kinds;
  if (known.length === 0) return null;
  return {
    ...(objects.length > 0 ? { fields: new Map(objects.flatMap((fields) => [...fields])), shown } : {}),
    ...(items ? { items } : {}),
    ...(kinds ? { kinds } : {}),
  };
}

type Answers = { records: z.ZodObject[]; lists: z.ZodArray[] };

/** The answers of the endpoint's resource: its own, and those of the reads at the nearest path at or above the one that it writes to. */
function answersFor(endpoint: Endpoint): Answers {
  const path = shapeOf(endpoint.location ?? endpoint.path);
  const nearest = ancestors(path).find((one) => answersByPath('GET').has(one));
  // What cannot be read, such as what another system answers, is no record that a body could send back.
  if (nearest === undefined) return { records: [], lists: [] };
  const answer = answersByPath('GET').get(nearest);
  const own = unwrapped(endpoint.response);
  const records = objectsIn(own);
  const lists = own instanceof z.ZodArray ? [own] : [];
  const rows = rowsOf(answer);
  const rowsAsRecords = (of: readonly z.ZodArray[]) => of.flatMap((row) => objectsIn(row.element));
  if (nearest.endsWith('}')) {
    const above = answersByPath('GET').get(nearest.slice(0, nearest.lastIndexOf('/')));
    return { records: [...records, ...objectsIn(answer), ...rowsAsRecords(rowsOf(above))], lists };
  }
  // What replaces a list, or changes what there is once, has the whole answer as its counterpart.
  const isWhole = nearest === path && endpoint.method !== 'POST';
  if (isWhole || rows.length === 0) return { records: [...records, ...objectsIn(answer)], lists: [...lists, ...rows] };
  // What a list's POST offers beside the new record is for a later call, as the rates of couriers are.
  const offered = rowsAsRecords(rowsOf(answersByPath('POST').get(nearest)));
  return { records: [...records, ...rowsAsRecords(rows), ...offered], lists: makesSomething(endpoint) ? [] : [...lists, ...rows] };
}

const byPath = new Map<Method, Map<string, unknown>>();

/** The schemas of the answers to a method, by the shape of the path. */
function answersByPath(asked: Method): ReadonlyMap<string, unknown> {
  const known = byPath.get(asked) ?? new Map<string, unknown>();
  if (!byPath.has(asked)) {
    for (const { method, path, response } of endpointList) if (method === asked && response) known.set(shapeOf(path), response);
    byPath.set(asked, known);
  }
  return known;
}

/** The lists of a list's answer: itself, or those that its envelope holds. */
function rowsOf(answer: unknown): z.ZodArray[] {
  if (answer instanceof z.ZodArray) return [answer];
  return objectsIn(answer).flatMap(({ shape }) =>
    Object.values(shape).flatMap((schema) => {
      const field = unwrapped(schema);
      return field instanceof z.ZodArray && objectsIn(field.element).length > 0 ? [field] : [];
    }),
  );
}

function ancestors(path: string): string[] {
  const end = path.lastIndexOf('/');
  return end <= 0 ? [path] : [path, ...ancestors(path.slice(0, end))];
}

function shapeOf(path: string): string {
  return path.replaceAll(/\{\w+\}/g, '{}');
}

function unwrapped(schema: unknown): unknown {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  ) {
    return unwrapped(schema.unwrap());
  }
  return schema instanceof z.ZodPipe ? unwrapped(schema.in) : schema;
}

function objectsIn(schema: unknown): z.ZodObject[] {
  const plain = unwrapped(schema);
  if (plain instanceof z.ZodObject) return [plain];
  return plain instanceof z.ZodUnion ? plain.options.flatMap(objectsIn) : [];
}

function elementsIn(schema: unknown): unknown[] {
  const plain = unwrapped(schema);
  if (plain instanceof z.ZodArray) return [plain.element];
  return plain instanceof z.ZodUnion ? plain.options.flatMap(elementsIn) : [];
}

function literalsIn(schema: unknown): unknown[] {
  const plain = unwrapped(schema);
  if (plain instanceof z.ZodLiteral) return [...plain.values];
  return plain instanceof z.ZodEnum ? plain.options : [];
}
