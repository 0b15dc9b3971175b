import type { Logger } from 'pino';
import type { Tracing } from '../tracing/tracing.ts';
import type { ServerConfig } from './config.ts';
import type { Db, Store } from './db/open.ts';
import type { SchemaChecker } from './json-schema/check.ts';
import type { AssistantWork } from './process/assistant-work.ts';
import type { Broadcast } from './process/broadcast.ts';
import type { Followers } from './process/followers.ts';
import type { Keyring } from './process/keyring.ts';
import type { Metrics } from './process/metrics.ts';
import type { RateLimits } from './process/rate-limits.ts';

import type { RunQueue } from './process/run-queue.ts';
import type { Signal } from './process/signal.ts';
import type { Chat } from './providers/chat/chat.ts';
import type { Couriers } from './providers/courier/couriers.ts';
import type { LabelFonts } from './providers/courier/label-fonts.ts';
import type { FileStore } from './providers/files/file-store.ts';
import type { AccessTokens } from './providers/http/access-tokens.ts';
import type { Outgoing } from './providers/http/send.ts';
import type { Llm } from './providers/llm/llm.ts';
import type { PaymentProvider } from './providers/payments/provider.ts';
import type { LogLines } from './resources/audit/log-lines.ts';
import { readSettings } from './resources/settings/domain.ts';
import type { Incoming } from './resources/storage/domain.ts';
import type { SourceChecker } from './source-check/check.ts';
import type { TemplateRenderer } from './templates/renderer.ts';
import type { TypeChecker } from './type-check/check.ts';
import type { Settings } from './values/settings.ts';
import type { Ctx } from './verbs/context.ts';

/** The request of a provider that caused a transaction: its id, sender and path. */
export type Origin = { requestId: string; ip: string; path: string };

/** What one server process shares between requests. All of it can be lost without harm. */
export type Services = {
  config: ServerConfig;
  /** The port on which this process listens. */
  listening: { port: number };
  store: Store;
  files: FileStore;
  log: Logger;
  logLines: LogLines;
  metrics: Metrics;
  /** null: there is no tracing. */
  tracing: Tracing | null;
  settings: SettingsCache;
  couriers: Couriers;
  labelFonts: LabelFonts;
  keyring: Keyring;
  llm: Llm;
  chat: Chat;
  outgoing: Outgoing;
  accessTokens: AccessTokens;
  payments: PaymentProvider;
  checker: SourceChecker;
  types: TypeChecker;
  renderer: TemplateRenderer;
  schemas: SchemaChecker;
  incoming: Incoming;
  /** Whether every answer is parsed against its declared schema; true in development and tests. */
  checkResponses: boolean;
  /** Tells other servers what the signals below tell here. */
  broadcast: Broadcast;
  /** Counts requests, together with the other servers. */
  rateLimits: RateLimits;
  /** Fires when a run may have become claimable. */
  work: RunQueue;
  /** Fires when an event waits for a trigger, or when a start is due at another time. */
  starts: Signal;
  /** Fires when a wait of a run has begun or ended. */
  waits: Signal;
  /** Fires when a run has a new line, or has ended. */
  runFollowers: Followers;
  /** Fires when something happened in a thread of the assistant. */
  threadFollowers: Followers;
  /** Starts the assistant's work on a thread, after the request for it has committed. */
  assistantWork: AssistantWork;
  /** Fires when something has changed that `GET /changes` tells. */
  changes: Signal;
  /** Fires when a caller may have lost a permission. */
  access: Signal;
  /** Aborted when the server shuts down. */
  stopping: AbortSignal;
  /**
   * Runs one transaction that no request asked for. Its audit entries and events are stored with it, and `ctx.after` works as in a request.
   * `action` is the endpoint whose work it finishes, or the provider whose request is `origin`.
   */
  transact<T>(action: string, work: (ctx: Ctx) => Promise<T>, origin?: Origin): Promise<T>;
};

const SETTINGS_AGE_MS = 1000;

/** Settings are read for every request; changes by other servers are seen within a second, or when they are told. */
export class SettingsCache {
  readonly #broadcast: Broadcast;
  #value: Settings | undefined;
  #readAt = 0;
  constructor(broadcast: Broadcast) {
    this.#broadcast = broadcast;
    broadcast.listen('settings', { hear: () => this.#forget(), missed: () => this.#forget() });
  }
  async get(db: Db): Promise<Settings> {
    const now = performance.now();
    if (this.#value && now - this.#readAt < SETTINGS_AGE_MS) return this.#value;
    this.#value = await readSettings(db);
    this.#readAt = now;
    return this.#value;
  }
  /** To be called after a change of the settings has committed. */
  clear(): void {
    this.#forget();
    this.#broadcast.tell('settings changed');
  }
  #forget(): void {
    this.#value = undefined;
  }
}
