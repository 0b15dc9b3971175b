import fc from 'fast-check';
import { type Endpoint, isWrite } from '../../contract/endpoint.ts';
import { testedEndpoints } from '../torture/bad-input/catalogue.ts';
import { type Json, places, schemaOf } from '../torture/bad-input/samples.ts';
import { hostileIds, hostileQueries, hostileValues } from '../torture/bad-input/values.ts';
import { likelyBodies } from './likely-bodies.ts';
import { propertiesOf, valuesOf } from './schema-values.ts';
import type { Sketch } from './sketch.ts';

/** A call of any endpoint of the contract, before the sequence runs. */
export type AnyCall = {
  kind: 'call';
  endpoint: Endpoint;
  /** Which of the known records the path names, a record that was deleted, one that never was, or what is no id. */
  aim: { at: 'known' | 'gone' | 'missing'; n: number } | { at: 'hostile'; id: string };
  body: Sketch | undefined;
  /** One place of the body gets a hostile value; undefined removes the place. */
  spoiled: { place: readonly (string | number)[]; value: Json | undefined } | null;
  /** The body of a change is, in part, what the record shows already. */
  echoes: boolean;
  query: Readonly<Record<string, Sketch>>;
  ifMatch: 'none' | 'right' | 'stale' | 'any' | 'malformed';
  /** Whether a read sends the ETag that it got before. */
  ifNoneMatch: boolean;
  key: string | null;
  /** `claim`: with a token of a run that a runner has claimed, the script's or the runner's as the endpoint needs it. */
  as: 'admin' | 'claim';
  n: number;
};
/** The nth accepted write with an Idempotency-Key, sent again: as it was, or with another body. */
export type Again = { kind: 'again'; n: number; changed: boolean };
export type Step = AnyCall | Again;

/** Endpoints that are used together, by the first part of their ids. */
const themes: readonly (readonly string[])[] = [
  ['products', 'tax_rates', 'media', 'files', 'access_groups', 'settings'],
  ['pages', 'themes', 'access_groups', 'media', 'settings'],
  ['orders', 'products', 'customers', 'vouchers', 'order_statuses', 'shipping_methods', 'pickup_locations', 'discount_groups'],
  ['orders', 'subscriptions', 'notifications', 'logs', 'mails', 'dashboard', 'inquiries', 'customers'],
  ['customers', 'inquiries', 'discount_groups', 'access_groups', 'orders'],
  ['ai_tasks', 'runner', 'replays', 'task_runs', 'llm', 'http'],
  ['ai_tasks', 'task_secrets', 'task_variables', 'settings', 'webhooks', 'notifications'],
  ['ai_tasks', 'runner', 'orders', 'customers', 'products', 'mails'],
  ['admins', 'me', 'preferences', 'settings', 'webhooks', 'audit_log', 'notifications'],
];

/** Not those by which the server would ask a model of somebody else. */
const played = testedEndpoints.filter(({ id }) => id !== 'assistant.send_message' && id !== 'assistant.retry');

/** Sequences of at most `calls` steps. A sequence stays within a theme, so that its calls have to do with each other. */
export function anySequence(calls: number): fc.Arbitrary<Step[]> {
  const chosen = themes.map((theme) => played.filter(({ id }) => theme.includes(id.split('.')[0] ?? '')));
  const kinds = [...chosen, played];
  return fc.noBias(fc.oneof(...kinds.map((endpoints) => fc.array(stepOf(endpoints), { maxLength: calls, size: 'max' }))));
}

function stepOf(endpoints: readonly Endpoint[]): fc.Arbitrary<Step> {
  const again = fc.record({ kind: fc.constant('again' as const), n: fc.nat({ max: 20 }), changed: fc.boolean() });
  return fc.oneof(
    { weight: 1, arbitrary: again },
    ...endpoints.map((endpoint) => ({ weight: weightOf(endpoint), arbitrary: callOf(endpoint) })),
  );
}

/** Writes that make something come more often, because every other call needs what they make. */
function weightOf(endpoint: Endpoint): number {
  if (endpoint.method === 'POST' && endpoint.location !== undefined) return 4;
  if (endpoint.method === 'DELETE' || !isWrite(endpoint)) return 1;
  return 2;
}

const made = new Map<Endpoint, fc.Arbitrary<AnyCall>>();

function callOf(endpoint: Endpoint): fc.Arbitrary<AnyCall> {
  const known = made.get(endpoint) ?? buildCall(endpoint);
  made.set(endpoint, known);
  return known;
}

function buildCall(endpoint: Endpoint): fc.Arbitrary<AnyCall> {
  const n = fc.nat({ max: 50 });
  return fc.record({
    kind: fc.constant('call'),
    endpoint: fc.constant(endpoint),
    aim: fc.oneof(
      { weight: 30, arbitrary: fc.record({ at: fc.constant('known' as const), n }) },
      { weight: 2, arbitrary: fc.record({ at: fc.constantFrom('gone' as const, 'missing' as const), n }) },
      { weight: 1, arbitrary: fc.record({ at: fc.constant('hostile' as const), id: fc.constantFrom(...hostileIds) }) },
    ),
    body: bodyOf(endpoint),
    spoiled: spoiledOf(endpoint),
    echoes: often(false, 6, fc.constant(true)),
    query: queryOf(endpoint),
    ifMatch: often('none', 6, fc.constantFrom('right', 'right', 'stale', 'stale', 'any', 'malformed')),
    ifNoneMatch: often(false, 5, fc.constant(true)),
    key: often(null, 2, fc.uuid()),
    as: often('admin', endpoint.ownRun === true ? 1 : 12, fc.constant('claim')),
    n,
  });
}

function often<T, U>(usual: T, weight: number, arbitrary: fc.Arbitrary<U>): fc.Arbitrary<T | U> {
  return fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary });
}

function bodyOf(endpoint: Endpoint): fc.Arbitrary<Sketch | undefined> {
  if (!endpoint.body) return fc.constant(undefined);
  const likely = likelyBodies[endpoint.id];
  const any = valuesOf(schemaOf(endpoint.body));
  return likely ? fc.oneof({ weight: 4, arbitrary: likely }, { weight: 1, arbitrary: any }) : any;
}

function spoiledOf({ body }: Endpoint): fc.Arbitrary<AnyCall['spoiled']> {
  if (!body) return fc.constant(null);
  const found = places(schemaOf(body)).map(({ path }) => path);
  if (found.length === 0) return fc.constant(null);
  const value = fc.oneof(
    fc.constantFrom<(Json | undefined)[]>(...hostileValues, undefined),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.maxSafeInteger(),
    fc.jsonValue({ maxDepth: 3 }).map((json) => json as Json),
  );
  // The last one is a member that no schema has.
  const place = fc.constantFrom(...found.filter((path) => !WAITS.has(path.join('/'))), ['member_of_nothing']);
  return often(null, 9, fc.record({ place, value }));
}

/** Places that get no hostile value, because the server would really wait so long, or ask that machine. */
const WAITS = new Set([
  'wait_ms',
  'smtp/host',
  'llm/base_url',
  'assistant/base_url',
  'courier/easypost_api_key',
  'courier/provider',
  'url',
  'courier',
  'smtp',
  'llm',
  'assistant',
]);

function queryOf({ query }: Endpoint): fc.Arbitrary<Record<string, Sketch>> {
  if (!query) return fc.constant({});
  const fields = propertiesOf(schemaOf(query));
  const hostile = fc.constantFrom<Sketch[]>(...hostileQueries.map(decoded));
  const mostly = (arbitrary: fc.Arbitrary<Sketch>) => fc.oneof({ weight: 12, arbitrary }, { weight: 1, arbitrary: hostile });
  const some = fc.record(Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, mostly(values)])), {
    requiredKeys: [],
    noNullPrototype: true,
  });
  // Most filters together find nothing, so a query has two of them at most.
  return fc.tuple(some, fc.nat({ max: 2 }), fc.nat()).map(([all, count, from]) => {
    const given = Object.entries(all).flatMap(([name, value]): [string, Sketch][] => (value === undefined ? [] : [[name, value]]));
    return Object.fromEntries([...given, ...given].slice(from % Math.max(1, given.length)).slice(0, Math.min(count, given.length)));
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
