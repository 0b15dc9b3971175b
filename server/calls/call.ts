import type { Endpoint } from '../../contract/endpoint.ts';
import type { Services } from '../services.ts';
import type { Actor, AuditEntry, Ctx, Prepared, RandomBytes } from '../verbs/context.ts';
import type { RecordFinders } from '../verbs/record-versions.ts';
import type { AnyRoute, Input, Params } from '../verbs/route.ts';
import type { EarlierAttempts } from './earlier-attempts.ts';
import type { StoredAnswer } from './idempotency.ts';
import type { HeldTimes } from './turns.ts';
import type { UsageNotes } from './usage.ts';
import type { Validator } from './validate.ts';

/** The bytes of a body, and the object that they say; of no body: none, and `{}`. */
export type RequestBody = { raw: Buffer; value: Record<string, unknown> };

/** A request to an endpoint that has passed token, route, permission and body. */
export type Call = {
  endpoint: Endpoint;
  validator: Validator;
  /** What the caller needed for it. */
  permission: string | null;
  params: Params;
  /** Path below /admin/api with its query. */
  target: string;
  search: URLSearchParams;
  body: RequestBody;
  prepared: Prepared;
  actor: Actor;
  requestId: string;
  ip: string;
  header(name: string): string | undefined;
  /** Of a write of a dry run, and of one that is carried out as it was planned. */
  staging?: Staging;
};

/** The time and the random bytes of a write that is carried out more than once, and who is told what it changed. */
export type Staging = { now: string; random: RandomBytes; noted(entries: readonly AuditEntry[]): void };

/** A call that is carried out in one transaction. */
export type VerbCall = Call & {
  verb(ctx: Ctx, input: Input): Promise<unknown>;
  /** A read that may take more than some milliseconds: it keeps off the server's own thread. */
  isHeavy: boolean;
  /** Of a dry run: the verb may have to ask somebody outside the shop, and tells whether it would have; then its answer is a sample. */
  outside?: { isAsked: boolean };
};

export type Answer = StoredAnswer & {
  replayed: boolean;
  /** The time the effect carries: what the script's clock moves to. */
  at: string;
  after: (() => void)[];
};

/** An endpoint with what stands behind it. */
export type Target = { endpoint: Endpoint; route: AnyRoute; validator: Validator };

/** What the calls of one server share. */
export type Executor = {
  services: Services;
  recordVersions: RecordFinders;
  /** The endpoint that a path below /admin/api leads to; null: none. */
  find(method: string, pathname: string): { target: Target; params: Params } | null;
  usage: UsageNotes;
  heldTimes: HeldTimes;
  earlier: EarlierAttempts;
};

export const NO_BODY: RequestBody = { raw: Buffer.alloc(0), value: {} };
