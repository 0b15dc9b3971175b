import type { Logger } from 'pino';
import type { NeededPermission } from '../../contract/endpoint.ts';
import type { DomainEvent } from '../../contract/events.ts';
import { holds } from '../../contract/permissions.ts';
import type { SourceWarning } from '../../contract/source-warning.ts';
import type { Dialect } from '../db/dialect.ts';
import type { Db } from '../db/open.ts';
import type { Settings } from '../resources/settings/domain.ts';
import type { Services } from '../services.ts';

/** The recorded run that a replay carries out again; `sameVersion`: with the version that was recorded. */
export type ReplaySource = { runId: number; lineageId: string; firstEpoch: number; sameVersion: boolean };

/** Who asks. A task acts for the admin who started its run, with the permissions of its version. */
export type Actor =
  | {
      type: 'admin';
      adminId: number;
      /** Name, else email: what notes call the author (decisions.md AU11). */
      name: string;
      role: 'owner' | 'staff';
      tokenId: number;
      permissions: ReadonlySet<string>;
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
      /** Which of the claim's two tokens asks: `call` for the script, `report` for its runner (automation.md §3, Fencing). */
      token: 'call' | 'report';
      /** Of the claim; null: nothing is counted. */
      limits: { hostCalls: number; writes: number | null; logBytes: number } | null;
      /** Nothing that it does is kept (automation.md §6). */
      dryRun: boolean;
      permissions: ReadonlySet<string>;
      /** Where a replay gets its answers from: nothing of it is live. */
      replay: ReplaySource | null;
    }
  | { type: 'runner'; tokenId: number; permissions: ReadonlySet<string> }
  | { type: 'system' };

/** A run's. */
export type TaskActor = Extract<Actor, { type: 'task' }>;

/** One write, as the audit log and the run's effects keep it. */
export type AuditEntry = {
  /** Singular type, such as `order` or `customer_note`. */
  resource: { type: string; id: number | null };
  /** Whose it is, where the entry may tell of a customer and is neither about them, an order nor an inquiry: to be found when they are forgotten. */
  customerId?: number | null;
  changes: Record<string, [before: unknown, after: unknown]>;
  /** One sentence for the admins' log, such as "Order 12: status pending → shipped". */
  summary: string;
  /** An earlier request may have had the same effect, and nobody can tell. */
  maybeTwice?: boolean;
  /** Detail of the log entry, stored as JSON; default: the changes. */
  detail?: Record<string, unknown>;
};

/** A file that came with the request; its bytes are in the file store already. */
export type Upload = {
  key: string;
  /** As the sender calls it, made safe. */
  filename: string;
  /** As the sender calls it: no promise about the content. */
  contentType: string;
  sizeBytes: number;
  sha256: string;
  /** Whether it counts towards the shop's storage. */
  counts: boolean;
  /** The start of the content, as far as the endpoint looks at it. */
  head: Buffer;
};

/** `warnings`: what the parser says of the source that the body carries. */
export type Prepared = { warnings: readonly SourceWarning[]; upload?: Upload };

export type RandomBytes = (size: number) => Buffer;

/** What a verb works with. `db` is the transaction of the request, or a reader for reads. */
export type Ctx = {
  db: Db;
  dialect: Dialect;
  /** What the process shares. Its store is out of reach: a transaction that waited for another would wait for ever. */
  services: Omit<Services, 'store'>;
  /** The request's time, ISO 8601 UTC: all that one request writes carries it. */
  now: string;
  actor: Actor;
  settings: Settings;
  requestId: string;
  ip: string;
  log: Logger;
  /** Random bytes: the same at each pass of a dry run. */
  random: RandomBytes;
  /** Worked out before the transaction, because nothing slow belongs inside one. */
  prepared: Prepared;
  /** Notes a write; the entries are stored in the same transaction. Every write must note at least one. */
  audit(entry: AuditEntry): void;
  /** Stores a domain event in the same transaction. */
  emit(event: DomainEvent): void;
  /** Carries out another write of the API in this transaction, for an actor who may; nothing of a refused one is to be kept. */
  perform(write: Write, by: { actor: Actor; random: RandomBytes }): Promise<Performed>;
  /** A header of the answer, which its repeats carry too. */
  setHeader(name: string, value: string): void;
  /** Runs once the transaction is committed. */
  after(work: () => void): void;
};

/** The admin whose act it is; runners and the system have none. */
export function actingAdmin(ctx: Ctx): { adminId: number; name: string } {
  if (ctx.actor.type === 'admin' || ctx.actor.type === 'task') return ctx.actor;
  throw new Error(`an admin is needed, not ${ctx.actor.type}`);
}

/** `admin:<id>` or `system`, as ledgers and movements name the actor (decisions.md AU11). */
export function actorName(ctx: Ctx): string {
  return ctx.actor.type === 'admin' || ctx.actor.type === 'task' ? `admin:${ctx.actor.adminId}` : 'system';
}

/** Whoever may hold permissions; the system may everything. */
type Holder = { type: 'system' } | { type: Exclude<Actor['type'], 'system'>; permissions: ReadonlySet<string> };

export function may(actor: Holder, permission: NeededPermission): boolean {
  return actor.type === 'system' || holds(actor.permissions, permission);
}

/** A write as it was asked for. */
export type Write = { method: string; path: string; body: string | null; prepared: Prepared };

/** What became of it. */
export type Performed = { status: number; body: string | null; effects: readonly AuditEntry[] };

/** What a verb works with that asks somebody outside between its transactions. */
export type Steps = {
  services: Services;
  actor: Actor;
  requestId: string;
  log: Logger;
  /** The same for a request and its repeats; null without an Idempotency-Key. */
  scope: string | null;
  /** Of a run: an earlier request began this call, and nobody knows what became of it. */
  wasBegun: boolean;
  /** Aborted when the run that asks has ended, or the server stops. */
  signal: AbortSignal;
  /** One short transaction; what it notes is stored in it. Nothing outside is asked meanwhile. */
  step<T>(work: (ctx: Ctx) => Promise<T>): Promise<T>;
  /** Holds a name until this call ends or its server dies; false where another call holds it. */
  hold(ctx: Ctx, name: string): Promise<boolean>;
};
