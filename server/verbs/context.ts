import type { Logger } from 'pino';
import type { ChangeType } from '../../contract/changes.ts';
import type { NeededPermission } from '../../contract/endpoint.ts';
import type { DomainEvent } from '../../contract/events.ts';
import { holds } from '../../contract/permissions.ts';
import type { SourceWarning } from '../../contract/source-warning.ts';
import type { Dialect } from '../db/dialect.ts';
import type { Db } from '../db/open.ts';
import type { Services } from '../services.ts';
import type { Settings } from '../values/settings.ts';
import type { Decision } from './decision.ts';

/** The recorded run that a replay repeats; `sameVersion`: the replay uses the version that was recorded. */
export type ReplaySource = { runId: number; lineageId: string; firstEpoch: number; sameVersion: boolean };

/** `seesPersonalData`: whether texts about people are shown to the agent (spec MC4). */
export type AgentRights = { seesPersonalData: boolean };

/** The sender of a request. A task acts for the admin who started its run, with the permissions of its version. */
export type Actor =
  | {
      type: 'admin';
      adminId: number;
      /** Name of the admin, or the email if there is none; notes show it as their author (spec AU11). */
      name: string;
      role: 'owner' | 'staff';
      tokenId: number;
      permissions: ReadonlySet<string>;
      /** The token is valid for this request alone. */
      isSingleUse?: boolean;
      /** Present if an agent acts for the admin, with a token of its own. */
      agent?: AgentRights;
    }
  | {
      type: 'task';
      adminId: number;
      name: string;
      runId: number;
      taskId: number;
      versionId: number;
      lineageId: string;
      claimId: number;
      /** Which of the claim's two tokens was sent: `call` by the script, `report` by its runner (spec RU6). */
      token: 'call' | 'report';
      /** Limits of the claim; null: nothing is counted. */
      limits: { hostCalls: number; writes: number | null; logBytes: number } | null;
      /** True: nothing that the run does is kept (spec DR1). */
      dryRun: boolean;
      permissions: ReadonlySet<string>;
      /** Present if texts about people are hidden from the script: the key by which equal ones stay equal. */
      hidesPeople?: { key: string };
      /** Present if an agent started the run: the token whose rights it has, at each call. */
      agentTokenId?: number;
      /** For a replay, the recording that its answers come from; no verb is reached. */
      replay: ReplaySource | null;
    }
  | { type: 'runner'; tokenId: number; permissions: ReadonlySet<string> }
  /** The sender of a request without a token, which reaches only endpoints that are declared `open`. */
  | { type: 'guest'; permissions: ReadonlySet<string> }
  | { type: 'system' };

/** The actor of a request that a run makes. */
export type TaskActor = Extract<Actor, { type: 'task' }>;

/** One write, as the audit log and the effects of a run store it. */
export type AuditEntry = {
  /** Type of the record in the singular, such as `order` or `customer_note`. */
  resource: { type: ChangeType; id: number | null };
  /**
   * The customer whom the entry concerns, for entries about other records than customers, orders and inquiries; so the entry is found when
   * the customer is forgotten.
   */
  customerId?: number | null;
  /** The order that a payment or a shipment belongs to; its timeline shows the entry. */
  orderId?: number;
  changes: Record<string, [before: unknown, after: unknown]>;
  /** Further changes that only a run's effects show, such as the text of a mail; the audit log would keep them too long. */
  shown?: Record<string, [before: unknown, after: unknown]>;
  /** One sentence for the admins' log, such as "Order 12: status pending → shipped". */
  summary: string;
  /** True if an earlier request may have had the same effect, which cannot be found out. */
  maybeTwice?: boolean;
  /** The effect of a run that the entry completes; without it, a write of a run is a new effect. */
  effectId?: number;
  /** Detail of the log entry, stored as JSON; default: the changes. */
  detail?: Record<string, unknown>;
};

/** A file that came with the request; its bytes are already in the file store. */
export type Upload = {
  key: string;
  /** The file name from the sender, made safe. */
  filename: string;
  /** The type from the sender, which says nothing reliable about the content. */
  contentType: string;
  sizeBytes: number;
  sha256: string;
  /** Whether the file counts towards the shop's storage. */
  counts: boolean;
  /** The first bytes of the content, as many as the endpoint looks at. */
  head: Buffer;
};

/**
 * Results of slow work that was done before the transaction. `warnings`: faults in the source that the body carries. `code`: what was
 * compiled of it, else null.
 */
export type Prepared = { warnings: readonly SourceWarning[]; code: string | null; upload?: Upload };
export const NOTHING_PREPARED: Prepared = { warnings: [], code: null };

export type RandomBytes = (size: number) => Buffer;

/** What a verb works with. `db` is the transaction of the request, or a connection for reads. */
export type Ctx = {
  db: Db;
  dialect: Dialect;
  /** What the process shares, without its store: a transaction that waited for another one would wait forever. */
  services: Omit<Services, 'store'>;
  /** The time of the request, ISO 8601 in UTC; everything that the request writes carries it. */
  now: string;
  actor: Actor;
  settings: Settings;
  requestId: string;
  ip: string;
  log: Logger;
  /** Gives random bytes, the same ones in each pass of a dry run. */
  random: RandomBytes;
  /** Prepared before the transaction, because slow work must not be done inside one. */
  prepared: Prepared;
  /** Records a write as an audit entry, stored in the same transaction. Every write must record at least one. */
  audit(entry: AuditEntry): void;
  /** Stores a domain event in the same transaction. */
  emit(event: DomainEvent): void;
  /**
   * Carries out another request of the API in this transaction, as `by.actor`. If a write is refused, the caller must undo the transaction or a
   * savepoint. `undoOfEntry`: the entry of the audit log that it takes back.
   */
  perform(write: Write, by: { actor: Actor; random: RandomBytes; undoOfEntry?: number }): Promise<Performed>;
  /**
   * Decides as the shop's policy says: refuses unless the request has what the acts ask for, and keeps who decided what. Called when the verb
   * knows all that it will do (spec DE2).
   */
  decide(decision: Decision): Promise<void>;
  /**
   * What a write of the API would decide for this actor; it is carried out and undone. null: it decides nothing. `alone`: it is refused where
   * it takes a second owner.
   */
  rehearse(write: Omit<Write, 'prepared'>, by: 'alone' | 'two'): Promise<Decision | null>;
  /** Carries out a write of the API in this transaction, with its refusals; what it decides is given to `decide` in place of the policy. */
  agree(write: Omit<Write, 'prepared'>, decide: (decision: Decision) => Promise<void>): Promise<Pick<Performed, 'status' | 'body'>>;
  /** Refuses a path below /admin/api unless the actor may read the content of a file there. */
  checkContent(path: string): Promise<void>;
  /** Sets a header of the answer; repeats of the request get it too. */
  setHeader(name: string, value: string): void;
  /** Calls `work` after the transaction has committed. */
  after(work: () => void): void;
};

/** The admin who acts, directly or through a run; runners, guests and the system have none. */
export function actingAdmin(ctx: Pick<Ctx, 'actor'>): { adminId: number; name: string } {
  if (ctx.actor.type === 'admin' || ctx.actor.type === 'task') return ctx.actor;
  throw new Error(`the actor must be an admin or a task, not ${ctx.actor.type}`);
}

/** `admin:<id>` or `system`, the actor's name in ledgers and stock movements (spec AU11). */
export function actorName(ctx: Ctx): string {
  return ctx.actor.type === 'admin' || ctx.actor.type === 'task' ? `admin:${ctx.actor.adminId}` : 'system';
}

/** Whether texts about people are hidden from the actor. */
export function isBlind(actor: Holder): boolean {
  return actor.type === 'admin' && actor.agent?.seesPersonalData === false;
}

/** The token of the agent that acts; null: none does. */
export function agentTokenOf(actor: Actor): number | null {
  return actor.type === 'admin' && actor.agent ? actor.tokenId : null;
}

/** An actor with permissions; the system may do everything. */
type Holder = { type: 'system' } | { type: Exclude<Actor['type'], 'system'>; permissions: ReadonlySet<string>; agent?: AgentRights };

export function may(actor: Holder, permission: NeededPermission): boolean {
  return actor.type === 'system' || holds(actor.permissions, permission);
}

/**
 * Whether the actor may do what only owners may. No list of a token can have the permission that only owners have, so this takes an owner's
 * token without a list.
 */
export function actsAsOwner(actor: Actor): boolean {
  return actor.type === 'admin' && actor.role === 'owner' && may(actor, 'admin_api.admins.write');
}

/** A write as it was requested. */
export type Write = { method: string; path: string; body: string | null; prepared: Prepared };

/** The outcome of a write. */
export type Performed = { status: number; body: string | null; effects: readonly AuditEntry[] };

/** What a verb works with if it asks somebody outside, or reads for long, between its transactions. */
export type Steps = {
  services: Services;
  actor: Actor;
  requestId: string;
  log: Logger;
  /** A key that a request shares with its repeats; null without an Idempotency-Key. */
  scope: string | null;
  /** For a run: an earlier request began this call, and its outcome is not known. */
  wasBegun: boolean;
  /** Aborted when the run that made the call has ended, or when the server stops. */
  signal: AbortSignal;
  /** Runs one short transaction and stores what it records. The verb must not ask anybody outside meanwhile. */
  step<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Reads in one snapshot, on SQLite in a thread of its own: no writer waits, however long the read takes. */
  look<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Locks a name until this call ends or its server dies; returns false if another call holds the name. */
  hold(ctx: Ctx, name: string): Promise<boolean>;
};
