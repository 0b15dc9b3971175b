import type { Endpoint } from '../../contract/endpoint.ts';
import type { Db } from '../db/open.ts';
import type { Services } from '../services.ts';
import type { Actor, AuditEntry, Ctx, Prepared, RandomBytes, TaskActor } from '../verbs/context.ts';
import type { Decision } from '../verbs/decision.ts';
import type { RecordFinders } from '../verbs/record-versions.ts';
import type { AnyRoute, Input, Params } from '../verbs/route.ts';
import type { CallQueue } from './dry-run/call-queue.ts';
import type { KnownPlans } from './dry-run/redo-log.ts';
import type { HeldTimes } from './dry-run/writer-slot.ts';
import type { InexactNumber } from './input/json-numbers.ts';
import type { Validator } from './input/validator.ts';
import type { EarlierAttempts } from './journal/earlier-attempts.ts';
import type { CallKey } from './journal/journal.ts';
import type { UsedPermissions } from './journal/used-permissions.ts';
import type { StoredAnswer } from './keys/idempotency.ts';

/**
 * The bytes of a request body and the object that they parse to, with the numbers that are not what was written; a request without a body has
 * no bytes and `{}`.
 */
export type RequestBody = { raw: Buffer; value: Record<string, unknown>; numbers: readonly InexactNumber[] };

/** A request to an endpoint after the checks of token, route, permission and body. */
export type Call = {
  endpoint: Endpoint;
  /** The permission that the call needed; null if the endpoint needs none. */
  permission: string | null;
  params: Params;
  /** The path below /admin/api, with its query. */
  target: string;
  search: URLSearchParams;
  /** The validated values of the query; invalid ones are refused with 422. */
  query(): Record<string, unknown>;
  body: RequestBody;
  /** The validated values of a body; invalid ones are refused with 422. */
  values(body: unknown): unknown;
  prepared: Prepared;
  actor: Actor;
  requestId: string;
  ip: string;
  header(name: string): string | undefined;
  /** Present for a write of a dry run, and for a planned write that is being applied. */
  staging?: Staging;
  /** Is told what the verb decides where the call is only looked at, and is then undone. */
  rehearses?: Deciding;
  /** Decides in place of the shop's policy. */
  agrees?: Deciding;
};

export type Deciding = (decision: Decision) => Promise<void>;

/**
 * The time and random bytes for a write that is carried out more than once, and a callback that gets its audit entries. `undoOfEntry`: the entry
 * of the audit log that it takes back.
 */
export type Staging = { now: string; random: RandomBytes; record(entries: readonly AuditEntry[]): void; undoOfEntry?: number | undefined };

/** A call whose verb runs in one transaction. */
export type VerbCall = Call & {
  verb(ctx: Ctx, input: Input): Promise<unknown>;
  /** True for a read that may take more than some milliseconds: on SQLite it runs in a thread of its own. */
  isHeavy: boolean;
  /**
   * Present in a dry run if the verb may have to ask somebody outside the shop: the verb then sets `isAsked`, and the answer is a sample.
   */
  outside?: { isAsked: boolean };
};

/** A call in its transaction. */
export type InTransaction<C extends VerbCall = VerbCall> = C & { db: Db };

export type TaskCall = VerbCall & { actor: TaskActor };
/** A call by a run's script, which the journal knows by its key. */
export type ScriptCall = TaskCall & { callKey: CallKey };

export type Answer = StoredAnswer & {
  replayed: boolean;
  /** The time of the effect, to which a script's clock moves. */
  at: string;
  after: (() => void)[];
};

/** An endpoint with its route. */
export type Target = { endpoint: Endpoint; route: AnyRoute; validator: Validator };

/** What all calls of one server share. */
export type Executor = {
  services: Services;
  recordVersions: RecordFinders;
  /** Finds the endpoint for a path below /admin/api; null if there is none. */
  find(method: string, pathname: string): { target: Target; params: Params } | null;
  usage: UsedPermissions;
  heldTimes: HeldTimes;
  /** The calls of dry runs that this server is answering, by claim. */
  queues: Map<number, CallQueue>;
  knownPlans: KnownPlans;
  earlier: EarlierAttempts;
  /** Carries out a call: a read in one snapshot, a write in one transaction, a script's call together with its journal entry. */
  execute(call: VerbCall): Promise<Answer>;
};

export const NO_BODY: RequestBody = { raw: Buffer.alloc(0), value: {}, numbers: [] };
