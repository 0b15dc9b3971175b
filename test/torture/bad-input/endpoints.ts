import { sql } from 'kysely';
import { type Endpoint, isWrite } from '../../../contract/endpoint.ts';
import { type Catalogue, catalogueOf, examples, prepareShop, remedies, shapeOf, testedEndpoints, withUniqueValues } from './catalogue.ts';
import { type Json, type Place, places, sample, schemaOf, typeOf, withValue } from './samples.ts';
import { type Answer, each, isServersFault, type Request, RUNNER_TOKEN, type Target, TOKEN } from './shop.ts';
import { hostileQueries, hostileValues } from './values.ts';

/**
 * An endpoint with a valid request to start from. Aims are made for every endpoint of the contract, so a new endpoint is tested
 * without further work.
 */
export type Aim = {
  endpoint: Endpoint;
  path: string;
  body: Json | undefined;
  token: string | undefined;
  accepted: boolean;
  /** Aims at another record; null where no record accepts the request. */
  again(): Promise<Aim | null>;
};

/** Makes one aim for each endpoint: with an existing path and, where one was found, a body that the server accepts. */
export async function takeAim(target: Target): Promise<Aim[]> {
  const catalogue = catalogueOf(target);
  await prepareShop(target);
  // The first round creates records which the second round can aim at.
  for (const [turn, endpoint] of testedEndpoints.entries()) await aimAt(target, catalogue, endpoint, turn);
  catalogue.refresh();
  const aims: Aim[] = [];
  for (const [turn, endpoint] of testedEndpoints.entries()) {
    const aim = await aimAt(target, catalogue, endpoint, turn);
    aims.push(endpoint.method !== 'DELETE' && !aim.accepted ? ((await aim.again()) ?? aim) : aim);
  }
  await aimAtUnused(target, aims);
  return aims;
}

/** Aims each DELETE at a record that is made for it, where an endpoint makes such records: no other record refers to it yet. */
async function aimAtUnused(target: Target, aims: readonly Aim[]): Promise<void> {
  const makers = new Map(aims.filter(({ accepted }) => accepted).map((aim) => [shapeOf(aim.endpoint.location ?? ''), aim]));
  for (const aim of aims.filter(({ endpoint }) => endpoint.method === 'DELETE')) {
    const maker = makers.get(shapeOf(aim.endpoint.path));
    if (!maker) continue;
    const form = maker.endpoint.multipart ? A_FORM : {};
    const { headers } = await target.sendChecked(`${maker.endpoint.id} for ${aim.endpoint.id}`, { ...requestOf(maker), ...form });
    if (typeof headers['location'] === 'string') aim.path = headers['location'];
  }
}

async function aimAt(target: Target, catalogue: Catalogue, endpoint: Endpoint, turn: number): Promise<Aim> {
  const path = await catalogue.pathOf(endpoint, turn);
  const token = endpoint.id.startsWith('runner.') ? RUNNER_TOKEN : undefined;
  const aim: Aim = { endpoint, path, body: undefined, token, accepted: false, again };
  if (endpoint.multipart) {
    const { status } = await target.sendChecked(`${endpoint.id} as it should be`, { ...requestOf(aim), ...A_FORM });
    return { ...aim, accepted: status < 300 };
  }
  if (!endpoint.body) {
    // A DELETE is tried with an id that does not exist, because other aims may need the record.
    const probe = endpoint.method === 'DELETE' ? { ...aim, path: path.replace(/\d+$/, '0') } : aim;
    const { status } = await target.sendChecked(endpoint.id, requestOf(probe));
    return { ...aim, accepted: status < 300 };
  }
  const schema = schemaOf(endpoint.body);
  let best: Aim | undefined;
  for (const make of [examples[endpoint.id], full, minimal]) {
    if (!make) continue;
    const known = await catalogue.known(path);
    const body = make(known);
    const { status } = await target.sendChecked(`${endpoint.id} as it should be`, requestOf({ ...aim, body }));
    await remedy(target, aim, status);
    best ??= { ...aim, body };
    if (status < 300) return { ...aim, body, accepted: true };
    // 403 does not depend on the record, so no other one is tried.
    if (status === FORBIDDEN) return { ...aim, body, again: async () => null };
  }
  return best ?? aim;

  async function again(): Promise<Aim | null> {
    const TRIED = 40;
    catalogue.refresh();
    const tried = new Set([path]);
    for (let n = 1; n <= TRIED; n++) {
      const other = await aimAt(target, catalogue, endpoint, turn + n);
      if (other.accepted) return other;
      // The path comes for the second time, so all records were tried.
      if (tried.has(other.path)) return null;
      tried.add(other.path);
    }
    return null;
  }
  function full(known: (name: string) => Json | undefined): Json {
    return sample(schema, known, true);
  }
  function minimal(known: (name: string) => Json | undefined): Json {
    return sample(schema, known, false);
  }
}

const FORBIDDEN = 403;

/** A PNG image of one pixel, in base64. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const A_FORM = {
  type: 'multipart/form-data; boundary=limit',
  body: Buffer.concat([
    Buffer.from('--limit\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'),
    Buffer.from(PIXEL, 'base64'),
    Buffer.from('\r\n--limit--\r\n'),
  ]),
};

export function requestOf({ endpoint, path, body, token }: Aim): Request {
  return {
    method: endpoint.method,
    path,
    ...(body === undefined ? {} : { body: withUniqueValues(JSON.stringify(body)) }),
    ...(token === undefined ? {} : { token }),
  };
}

async function remedy(target: Target, { endpoint }: Aim, status: number): Promise<void> {
  if (status < 300) await remedies[endpoint.id]?.(target);
}

/**
 * Puts each bad value at each place of each body (also: leaves the place out) and sets all numbers at once to their minimum and
 * maximum. `share`: the share of these bodies that is sent, 1 for all.
 */
export async function fireBodies(target: Target, aims: readonly Aim[], share = 1): Promise<number> {
  let cases = 0;
  for (const aim of await stillAccepted(target, aims)) {
    if (!aim.endpoint.body || aim.endpoint.multipart) continue;
    const fields = places(schemaOf(aim.endpoint.body)).filter(({ path }) => !WAITS.has(path.join('/')));
    const bodies: [where: string, body: Json][] = [...hostileValues, undefined].flatMap((value) =>
      fields.map(({ path }): [string, Json] => [path.join('/'), withValue(aim.body ?? {}, path, value)]),
    );
    for (const whole of hostileValues) bodies.push(['', whole]);
    for (const end of ['minimum', 'maximum'] as const) bodies.push([`all numbers at their ${end}`, atTheEnd(aim.body ?? {}, fields, end)]);
    bodies.splice(0, bodies.length, ...bodies.filter((_, n) => (n + cases) % Math.round(1 / share) === 0));
    for (const [where, body] of bodies) {
      cases += 1;
      await fire(target, aim, `${aim.endpoint.id} ${where} of ${brief(body)}`, body);
    }
  }
  return cases;
}

/** Renews aims whose record no longer accepts the request, because earlier requests have ended, cancelled or used it up. */
async function stillAccepted(target: Target, aims: readonly Aim[]): Promise<Aim[]> {
  const found: Aim[] = [];
  for (const aim of aims) {
    if (!aim.endpoint.body || aim.endpoint.multipart) continue;
    const spent = aim.accepted && (await fire(target, aim, `${aim.endpoint.id} once more`, aim.body ?? {})).status >= 300;
    found.push(spent ? ((await aim.again()) ?? aim) : aim);
  }
  return found;
}

/** Fields that get no bad value, because the server would really wait that long. */
const WAITS = new Set(['wait_ms']);

function atTheEnd(body: Json, fields: readonly Place[], end: 'minimum' | 'maximum'): Json {
  const numbers = fields.filter(({ schema }) => typeOf(schema) === 'integer');
  return numbers.reduce((whole, { path, schema }) => withValue(whole, path, schema[end] ?? (end === 'minimum' ? 0 : 1)), body);
}

async function fire(target: Target, aim: Aim, what: string, body: Json): Promise<Answer> {
  const answer = await target.sendChecked(what, requestOf({ ...aim, body }));
  await remedy(target, aim, answer.status);
  return answer;
}

function brief(body: Json): string {
  const text = JSON.stringify(body);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** Puts strings into the text fields of bodies, one field at a time. Each endpoint gets one of `stride` strings; all are used. */
export async function fireStrings(target: Target, aims: readonly Aim[], strings: readonly string[], stride: number): Promise<number> {
  let cases = 0;
  for (const [n, aim] of aims.entries()) {
    if (!aim.endpoint.body || aim.endpoint.multipart) continue;
    const texts = places(schemaOf(aim.endpoint.body)).filter(
      ({ schema }) => typeOf(schema) === 'string' && !schema.enum && schema.const === undefined && schema.format === undefined,
    );
    if (texts.length === 0) continue;
    for (const text of strings.filter((_, i) => i % stride === n % stride)) {
      cases += 1;
      const one = texts[cases % texts.length];
      if (!one) continue;
      await fire(
        target,
        aim,
        `${aim.endpoint.id} ${one.path.join('/')} of ${JSON.stringify(text).slice(0, 200)}`,
        withValue(aim.body ?? {}, one.path, text),
      );
    }
  }
  return cases;
}

/** Sends bytes that are not JSON to every endpoint with a body: the answer must be 400 or 413, and nothing may change. */
export async function fireMalformed(
  target: Target,
  aims: readonly Aim[],
  bodies: readonly (readonly [string, Buffer])[],
  stride: number,
): Promise<number> {
  let cases = 0;
  for (const [n, aim] of aims.entries()) {
    if (!aim.endpoint.body || aim.endpoint.multipart) continue;
    for (const [id, bytes] of bodies.filter((_, i) => i % stride === n % stride)) {
      cases += 1;
      const { status } = await target.sendChecked(`${aim.endpoint.id} ${id}`, { ...requestOf(aim), body: bytes });
      target.check(status === 400 || status === 413, `${aim.endpoint.id} ${id}: ${status} for what cannot be parsed`);
    }
  }
  return cases;
}

/** Sends malformed forms to every endpoint that takes a file. */
export async function fireForms(
  target: Target,
  aims: readonly Aim[],
  forms: readonly { id: string; type: string; bytes: Buffer }[],
): Promise<number> {
  const uploads = aims.filter(({ endpoint }) => endpoint.multipart);
  for (const aim of uploads) {
    for (const { id, type, bytes } of forms) await target.sendChecked(`${aim.endpoint.id} ${id}`, { ...requestOf(aim), body: bytes, type });
  }
  return uploads.length * forms.length;
}

const VISIBLE = /^[\x21-\x7e]*$/;

/**
 * Sends bad values in every parameter of every query, and bad queries as a whole. Reads must not change the store. `share`: the
 * share of these queries that is sent, 1 for all.
 */
export async function fireQueries(target: Target, aims: readonly Aim[], queries: readonly string[], share = 1): Promise<number> {
  const lists = aims.filter(({ endpoint }) => endpoint.query);
  const shots = lists.flatMap((aim) => {
    const names = Object.keys(aim.endpoint.query?.shape ?? {});
    const single = names.flatMap((name) => hostileQueries.map((value) => `${name}=${value}`));
    const pairs = names.flatMap((name) => [`${name}=1&${name}=2`, `${name}[]=1`, `${name}[$ne]=1`, `page=1&cursor=x&${name}=`]);
    return [...single, ...pairs, ...queries].filter((_, n) => n % Math.round(1 / share) === 0).map((query) => ({ aim, query }));
  });
  const reads = shots.filter(({ aim }) => !isWrite(aim.endpoint));
  // The loop that opens runs on events writes too. Without enabled triggers it has nothing to do meanwhile.
  await target.store.write(async (db) => {
    await sql`UPDATE triggers SET enabled = 0`.execute(db);
    await sql`DELETE FROM trigger_deliveries`.execute(db);
  });
  await target.gauge.set({ forLong: true });
  await each(reads, async ({ aim, query }) => {
    const { path, endpoint } = aim;
    const raw = `GET ${path}?${query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${aim.token ?? TOKEN}\r\nConnection: close\r\n\r\n`;
    const statuses = VISIBLE.test(query)
      ? [(await target.send({ ...requestOf(aim), path: `${path}?${query}` })).status]
      : await target.sendRaw(Buffer.from(raw));
    target.check(statuses.length > 0 && !statuses.some(isServersFault), `${endpoint.id}?${query.slice(0, 200)}: ${statuses.join()}`);
  });
  const moved = await target.gauge.moved();
  target.check(moved === null, `queries: ${moved}`);
  for (const { aim, query } of shots.filter((shot) => isWrite(shot.aim.endpoint) && VISIBLE.test(shot.query))) {
    await target.sendChecked(`${aim.endpoint.id}?${query.slice(0, 200)}`, {
      ...requestOf(aim),
      path: `${aim.path.replace(/\d+$/, '0')}?${query}`,
    });
  }
  return shots.length;
}
