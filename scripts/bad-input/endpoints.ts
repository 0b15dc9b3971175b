import { sql } from 'kysely';
import { type Endpoint, isWrite } from '../../contract/endpoint.ts';
import { type Catalogue, catalogueOf, examples, firedAt, freshened, prepareShop, remedies, shapeOf } from './catalogue.ts';
import { type Json, type Place, places, sample, schemaOf, typeOf, withValue } from './samples.ts';
import { type Answer, each, isServersFault, type Request, RUNNER_TOKEN, type Target, TOKEN } from './shop.ts';
import { hostileQueries, hostileValues } from './values.ts';

/**
 * Bad values for every body and query of the contract's own list: an endpoint that is added tomorrow is fired at
 * tomorrow. `share`: of the values, 1 for all.
 */
export type Aim = {
  endpoint: Endpoint;
  path: string;
  body: Json | undefined;
  token: string | undefined;
  accepted: boolean;
  /** The same at another record; null where there is none that accepts it. */
  again(): Promise<Aim | null>;
};

/** One aim for each endpoint: a path that exists and, where one was found, a body that is accepted. */
export async function takeAim(target: Target): Promise<Aim[]> {
  const catalogue = catalogueOf(target);
  await prepareShop(target);
  // What the first round makes is there for the second to aim at.
  for (const [turn, endpoint] of firedAt.entries()) await aimAt(target, catalogue, endpoint, turn);
  catalogue.lookAgain();
  const aims: Aim[] = [];
  for (const [turn, endpoint] of firedAt.entries()) {
    const aim = await aimAt(target, catalogue, endpoint, turn);
    aims.push(endpoint.method !== 'DELETE' && !aim.accepted ? ((await aim.again()) ?? aim) : aim);
  }
  await aimAtUnused(target, aims);
  return aims;
}

/** What a DELETE is aimed at is a record made for it where an endpoint makes such records: nothing uses that one yet. */
async function aimAtUnused(target: Target, aims: readonly Aim[]): Promise<void> {
  const makers = new Map(aims.filter(({ accepted }) => accepted).map((aim) => [shapeOf(aim.endpoint.location ?? ''), aim]));
  for (const aim of aims.filter(({ endpoint }) => endpoint.method === 'DELETE')) {
    const maker = makers.get(shapeOf(aim.endpoint.path));
    if (!maker) continue;
    const form = maker.endpoint.multipart ? A_FORM : {};
    const { headers } = await target.whole(`${maker.endpoint.id} for ${aim.endpoint.id}`, { ...requestOf(maker), ...form });
    if (typeof headers['location'] === 'string') aim.path = headers['location'];
  }
}

async function aimAt(target: Target, catalogue: Catalogue, endpoint: Endpoint, turn: number): Promise<Aim> {
  const path = await catalogue.pathOf(endpoint, turn);
  const token = endpoint.id.startsWith('runner.') ? RUNNER_TOKEN : undefined;
  const aim: Aim = { endpoint, path, body: undefined, token, accepted: false, again };
  if (endpoint.multipart) {
    const { status } = await target.whole(`${endpoint.id} as it should be`, { ...requestOf(aim), ...A_FORM });
    return { ...aim, accepted: status < 300 };
  }
  if (!endpoint.body) {
    // A DELETE that works would take away what others are aimed at.
    const probe = endpoint.method === 'DELETE' ? { ...aim, path: path.replace(/\d+$/, '0') } : aim;
    const { status } = await target.whole(endpoint.id, requestOf(probe));
    return { ...aim, accepted: status < 300 };
  }
  const schema = schemaOf(endpoint.body);
  let best: Aim | undefined;
  for (const make of [examples[endpoint.id], full, minimal]) {
    if (!make) continue;
    const known = await catalogue.known(path);
    const body = make(known);
    const { status } = await target.whole(`${endpoint.id} as it should be`, requestOf({ ...aim, body }));
    await remedy(target, aim, status);
    best ??= { ...aim, body };
    if (status < 300) return { ...aim, body, accepted: true };
    // Closed to whoever fires, whatever the record.
    if (status === FORBIDDEN) return { ...aim, body, again: async () => null };
  }
  return best ?? aim;

  async function again(): Promise<Aim | null> {
    const TRIED = 40;
    catalogue.lookAgain();
    const tried = new Set([path]);
    for (let n = 1; n <= TRIED; n++) {
      const other = await aimAt(target, catalogue, endpoint, turn + n);
      if (other.accepted) return other;
      // All that there are were tried.
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

/** The smallest image there is. */
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
    ...(body === undefined ? {} : { body: freshened(JSON.stringify(body)) }),
    ...(token === undefined ? {} : { token }),
  };
}

async function remedy(target: Target, { endpoint }: Aim, status: number): Promise<void> {
  if (status < 300) await remedies[endpoint.id]?.(target);
}

/** Every place of every body: left out, of another type, too large, too long; all numbers at once at their ends. */
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

/** What came before may have ended, cancelled or used up what was aimed at. */
async function stillAccepted(target: Target, aims: readonly Aim[]): Promise<Aim[]> {
  const found: Aim[] = [];
  for (const aim of aims) {
    if (!aim.endpoint.body || aim.endpoint.multipart) continue;
    const spent = aim.accepted && (await fire(target, aim, `${aim.endpoint.id} once more`, aim.body ?? {})).status >= 300;
    found.push(spent ? ((await aim.again()) ?? aim) : aim);
  }
  return found;
}

/** A request that is told to wait does. */
const WAITS = new Set(['wait_ms']);

function atTheEnd(body: Json, fields: readonly Place[], end: 'minimum' | 'maximum'): Json {
  const numbers = fields.filter(({ schema }) => typeOf(schema) === 'integer');
  return numbers.reduce((whole, { path, schema }) => withValue(whole, path, schema[end] ?? (end === 'minimum' ? 0 : 1)), body);
}

async function fire(target: Target, aim: Aim, what: string, body: Json): Promise<Answer> {
  const answer = await target.whole(what, requestOf({ ...aim, body }));
  await remedy(target, aim, answer.status);
  return answer;
}

function brief(body: Json): string {
  const text = JSON.stringify(body);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** Strings in all text fields of a body at once; each endpoint gets every so-manieth, all are used. */
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

/** Bytes that are no JSON, at every endpoint with a body: 400, and nothing happens. */
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
      const { status } = await target.whole(`${aim.endpoint.id} ${id}`, { ...requestOf(aim), body: bytes });
      target.check(status === 400 || status === 413, `${aim.endpoint.id} ${id}: ${status} for what cannot be parsed`);
    }
  }
  return cases;
}

/** Forms as libraries get them wrong, at every endpoint that takes a file. */
export async function fireForms(
  target: Target,
  aims: readonly Aim[],
  forms: readonly { id: string; type: string; bytes: Buffer }[],
): Promise<number> {
  const uploads = aims.filter(({ endpoint }) => endpoint.multipart);
  for (const aim of uploads) {
    for (const { id, type, bytes } of forms) await target.whole(`${aim.endpoint.id} ${id}`, { ...requestOf(aim), body: bytes, type });
  }
  return uploads.length * forms.length;
}

const VISIBLE = /^[\x21-\x7e]*$/;

/** Every parameter of every query, and queries as a whole; a read leaves nothing behind. */
export async function fireQueries(target: Target, aims: readonly Aim[], queries: readonly string[], share = 1): Promise<number> {
  const lists = aims.filter(({ endpoint }) => endpoint.query);
  const shots = lists.flatMap((aim) => {
    const names = Object.keys(aim.endpoint.query?.shape ?? {});
    const single = names.flatMap((name) => hostileQueries.map((value) => `${name}=${value}`));
    const pairs = names.flatMap((name) => [`${name}=1&${name}=2`, `${name}[]=1`, `${name}[$ne]=1`, `page=1&cursor=x&${name}=`]);
    return [...single, ...pairs, ...queries].filter((_, n) => n % Math.round(1 / share) === 0).map((query) => ({ aim, query }));
  });
  const reads = shots.filter(({ aim }) => !isWrite(aim.endpoint));
  // What opens runs on events writes, too: it has nothing to do meanwhile.
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
    await target.whole(`${aim.endpoint.id}?${query.slice(0, 200)}`, {
      ...requestOf(aim),
      path: `${aim.path.replace(/\d+$/, '0')}?${query}`,
    });
  }
  return shots.length;
}
