import type { Endpoint } from '../../contract/endpoint.ts';
import { endpointList } from '../../contract/index.ts';
import { shapeOf } from '../torture/bad-input/catalogue.ts';
import { isObject, type Json } from '../torture/bad-input/samples.ts';
import type { Sent } from './session.ts';
import type { Seen } from './sketch.ts';
import { idFields } from './words.ts';

/** A write that was accepted under an Idempotency-Key, and its answer. */
export type Keyed = { endpoint: Endpoint; sent: Sent; status: number; body: Json; recordPath: string | null };
/** What a claim of a run gave to a runner. */
export type Claimed = { run_id: number; task_id: number; token: string; report_token: string };

/** What the answers of one sequence told. Paths are those below `/admin/api`. */
export type Memory = {
  /** Fills in a value that a sketch leaves open. */
  find(seen: Seen): Json;
  /** The nth known path of a record of this shape, such as `/products/{}`; undefined where there is none. */
  pathOf(shape: string, n: number): string | undefined;
  /** The nth record that was deleted. */
  gone(shape: string, n: number): string | undefined;
  keyed: Keyed[];
  claims: Claimed[];
  /** Takes in an accepted answer. */
  learn(endpoint: Endpoint, path: string, body: Json, location: string | undefined): void;
  forget(path: string): void;
  /** Notes the ETag of a record; `staleOf` gives the nth one that it has no more. */
  noteEtag(path: string, etag: string): void;
  latestOf(path: string): string | undefined;
  staleOf(path: string, n: number): string | undefined;
};

/** The values kept of one name, the newest first. */
const KEPT = 8;
const LOOKED_INTO = 200;

/** The shapes of all paths that name a record, such as `/orders/{}`. */
const recordShapes = new Set(endpointList.flatMap(({ path }) => prefixesOf(shapeOf(path)).filter((shape) => shape.endsWith('{}'))));
/** Records that are made in one list and have a path elsewhere. */
const elsewhere: Readonly<Record<string, string>> = { '/products/{}/variants': '/variants', '/access-groups/{}/grants': '/access-grants' };
/** The admin and the token that send the requests must stay. */
const SPARED = new Set(['/admins/1', '/me/tokens/1']);
const fieldsOfShape = Map.groupBy(Object.entries(idFields), ([, shape]) => shape);

export function createMemory(): Memory {
  const values = new Map<string, Json[]>();
  const paths = new Map<string, string[]>();
  const deleted = new Map<string, string[]>();
  const etags = new Map<string, string[]>();
  const keyed: Keyed[] = [];
  const claims: Claimed[] = [];

  function keep(name: string, value: Json): void {
    const known = values.get(name) ?? [];
    values.set(name, [value, ...known.filter((one) => one !== value)].slice(0, KEPT));
  }

  function keepPath(path: string): void {
    const shape = path.replaceAll(/\/\d+(?=\/|$)/g, '/{}');
    const known = paths.get(shape) ?? [];
    if (!recordShapes.has(shape) || SPARED.has(path) || known.includes(path)) return;
    paths.set(shape, [...known, path]);
    for (const [field] of fieldsOfShape.get(shape) ?? []) keep(field, Number(path.split('/').at(-1)));
  }

  return {
    keyed,
    claims,
    find({ name, n, otherwise }) {
      const known = values.get(name) ?? [];
      return known[n % Math.max(1, known.length)] ?? otherwise;
    },
    pathOf: (shape, n) => nth(paths.get(shape), n),
    gone: (shape, n) => nth(deleted.get(shape), n),
    learn(endpoint, path, body, location) {
      if (location !== undefined) keepPath(location.replace(/^\/admin\/api/, ''));
      for (const [name, value] of leavesOf(body)) keep(name, value);
      const list = elsewhere[shapeOf(endpoint.path)] ?? path;
      if (endpoint.status === 201 && isObject(body) && typeof body['id'] === 'number') keepPath(`${list}/${body['id']}`);
      if (endpoint.method === 'GET') for (const id of idsIn(body)) keepPath(`${list}/${id}`);
      if (endpoint.id === 'runner.claim') claims.push(...claimsIn(body));
    },
    forget(path) {
      const shape = path.replaceAll(/\/\d+(?=\/|$)/g, '/{}');
      const known = paths.get(shape);
      if (!known?.includes(path)) return;
      paths.set(
        shape,
        known.filter((one) => one !== path),
      );
      deleted.set(shape, [...(deleted.get(shape) ?? []), path]);
    },
    noteEtag(path, etag) {
      const known = etags.get(path) ?? [];
      const version = versionOf(etag);
      if (known.at(-1) !== version) etags.set(path, [...known, version]);
    },
    latestOf: (path) => etags.get(path)?.at(-1),
    staleOf(path, n) {
      const known = etags.get(path) ?? [];
      return nth(
        known.slice(0, -1).filter((etag) => etag !== known.at(-1)),
        n,
      );
    },
  };
}

/** The part of an ETag that If-Match compares. */
export function versionOf(etag: string): string {
  return etag.replace(/\.[^."]*"$/, '"');
}

/** The path itself and all paths above it. */
export function prefixesOf(path: string): string[] {
  const segments = path.split('/');
  return segments.map((_, index) => segments.slice(0, segments.length - index).join('/')).filter((prefix) => prefix !== '');
}

function nth<T>(list: readonly T[] | undefined, n: number): T | undefined {
  return list === undefined || list.length === 0 ? undefined : list[n % list.length];
}

/** All members of an answer that are neither lists nor objects, and the members of its lists of texts and numbers. */
function* leavesOf(body: Json): Generator<[string, Json]> {
  const open: [string, Json][] = [['', body]];
  for (let looked = 0; looked < LOOKED_INTO; looked += 1) {
    const next = open.shift();
    if (!next) return;
    const [name, value] = next;
    if (Array.isArray(value)) open.push(...value.slice(0, KEPT).map((one): [string, Json] => [name, one]));
    else if (isObject(value)) open.push(...Object.entries(value));
    else if (name !== '' && value !== null) yield [name, value];
  }
}

function idsIn(body: Json): number[] {
  const list = Array.isArray(body) ? body : isObject(body) ? (Object.values(body).find(Array.isArray) ?? []) : [];
  return list.flatMap((row) => (isObject(row) && typeof row['id'] === 'number' ? [row['id']] : []));
}

function claimsIn(body: Json): Claimed[] {
  const list = isObject(body) && Array.isArray(body['claims']) ? body['claims'] : [];
  return list.flatMap((claim) => {
    if (!isObject(claim)) return [];
    const { run, token, report_token } = claim;
    if (typeof token !== 'string' || typeof report_token !== 'string' || run === undefined || !isObject(run)) return [];
    return [{ run_id: Number(run['id']), task_id: Number(run['task_id']), token, report_token }];
  });
}
