import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { failAbandoned } from './automation/assistant/abandoned.ts';
import { startsClock } from './automation/gathered-starts/loop.ts';
import { timeOutPrompts } from './automation/run-prompts/domain.ts';
import { waitEnder } from './automation/run-waits/waking.ts';
import { endExpired } from './automation/runs/life/expired.ts';
import { grantGrace, interruptAbandoned, recoverLapsed } from './automation/runs/life/recovery.ts';
import { offerDue } from './automation/runs/life/retry.ts';
import { tellStuck } from './automation/runs/life/stuck.ts';
import { scheduleClock } from './automation/schedules/firing.ts';
import { triggerOpener } from './automation/triggers/opening.ts';
import { type Loop, repeatApart } from './background/loop.ts';
import { measure } from './background/measure.ts';
import { createPulse } from './background/pulse.ts';
import { sweepOld } from './background/retention.ts';
import type { ServerConfig } from './config.ts';
import { closeSideThreads, createServices, type ServicesOptions } from './create-services.ts';
import { migrate } from './db/migrate.ts';
import { isPostgresUrl, openStore, type Store } from './db/open.ts';
import { mergeOrderCounts } from './db/order-upkeep.ts';
import { writePlainTexts } from './db/plain-texts.ts';
import { type Notices, openNotices } from './db/postgres/notices.ts';
import { createApi } from './http/api.ts';
import { createApp } from './http/app.ts';
import { createPoster } from './providers/webhooks/post.ts';
import { expireCredits } from './resources/credits/expiry.ts';
import { requestRefunds } from './resources/label-refunds/domain.ts';
import { mailSender } from './resources/mail/sending.ts';
import { endIdleSessions } from './resources/passkeys/sessions.ts';
import { settlePurchases } from './resources/shipments/recovery.ts';
import { sweepOrphans } from './resources/storage/domain.ts';
import { bootstrapOwner, registerRunnerToken } from './resources/tokens/domain.ts';
import { webhookSender } from './resources/webhooks/sender.ts';
import type { Services } from './services.ts';

export type RunningServer = {
  url: string;
  store: Store;
  /** The first owner's token, if this start created one; it is not stored anywhere. */
  ownerToken: string | null;
  /** Resolves when each background loop has ended its first round. Requests are answered before that. */
  firstRounds: Promise<void>;
  /** Refuses new requests, lets present ones end, closes streams, then closes the store. */
  close(): Promise<void>;
};

const PULSE_MS = 2000;
const WEBHOOKS_MS = 1000;
const SCHEDULES_MS = 1000;
const STARTS_MS = 1000;
const EXPIRED_MS = 1000;
const SWEEP_OLD_MS = 3_600_000;
const COURIER_MS = 1000;
const WAITS_MS = 5000;
const MAIL_MS = 500;
const MERGE_COUNTS_MS = 5000;
const TEXTS_MS = 60_000;
const EXPIRY_MS = 600_000;
const SESSIONS_MS = 60_000;
const PROMPTS_MS = 10_000;
const CLIENTS_MS = 10_000;
const RETRIES_MS = 500;
const STUCK_MS = 15_000;
const THREADS_MS = 5000;
const MEASURE_MS = 5000;
const CLOSE_WITHIN_MS = 10_000;

/** Options for tests. `onRequest` is called for each request before it is answered. */
export type ServerOptions = ServicesOptions & {
  onRequest?: RequestListener | undefined;
  /** The clock of an SQLite store. */
  nowMs?: (() => number) | undefined;
  /** Gets what the process shares, before the server listens. */
  onServices?: ((services: Services) => void) | undefined;
};

/** Opens the store, migrates it to the newest schema, creates the first owner, and listens. */
export async function startServer(config: ServerConfig, log: Logger, options: ServerOptions = {}): Promise<RunningServer> {
  const { databaseUrl: url, databasePool: poolSize, sqliteSynchronous: synchronous } = config;
  const store = openStore({ url, poolSize, synchronous, nowMs: options.nowMs });
  try {
    return await startOn(store, config, log, options);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function startOn(store: Store, config: ServerConfig, log: Logger, options: ServerOptions): Promise<RunningServer> {
  const applied = await migrate(store);
  if (applied.length > 0) log.info({ migrations: applied }, 'the database schema was migrated');
  const now = new Date().toISOString();
  const ownerToken = await bootstrapOwner(store, config.bootstrapAdminToken, now);
  if (config.runnerToken !== undefined) await registerRunnerToken(store, config.runnerToken, now);
  await grantGrace(store, config.leaseSeconds * 1000);

  const stop = new AbortController();
  const services = await createServices(config, store, log, stop.signal, options);
  options.onServices?.(services);
  const pulse = createPulse(store);
  await pulse.check();
  await pulse.lookForRunners();
  const api = createApi(services);
  const app = createApp(services, api, pulse.readiness);
  // Loaded with the first message of an admin.
  services.assistantWork.connect(async (turn) => {
    const { workOn } = await import('./assistant/turn.ts');
    await workOn({ services, carryOut: api.request }, turn);
  });
  const server = createServer();
  if (options.onRequest) server.on('request', options.onRequest);
  server.on('request', app.callback());
  await listen(server, config);
  const { port } = server.address() as AddressInfo;
  services.listening.port = port;

  const poster = createPoster({ allowPrivate: config.allowPrivateWebhooks });
  const leaseSweepMs = Math.min(1000, Math.max(100, config.leaseSeconds * 100));
  const loops: Loop[] = [
    ['the check that the store is writable', PULSE_MS, pulse.check],
    ['the look for runners', PULSE_MS, pulse.lookForRunners],
    ['the recovery of lost runs', leaseSweepMs, () => recoverLapsed(services)],
    ['the offer of runs whose next attempt is due', RETRIES_MS, () => offerDue(services)],
    ['the interruption of runs whose client is silent', CLIENTS_MS, () => interruptAbandoned(services)],
    ['the search for runs that may be stuck', STUCK_MS, () => tellStuck(services)],
    ['the time-out of unanswered questions', PROMPTS_MS, () => timeOutPrompts(services)],
    ['the look for threads whose server died', THREADS_MS, () => failAbandoned(services)],
    ['the deletion of old records', SWEEP_OLD_MS, () => sweepOld(store)],
    ['the sending of mail', MAIL_MS, mailSender({ store, log, stopping: stop.signal })],
    ['the expiry of credits', EXPIRY_MS, () => expireCredits(services)],
    ['the end of idle sessions', SESSIONS_MS, () => endIdleSessions(services)],
    ['the folding of older texts', TEXTS_MS, () => writePlainTexts(store, stop.signal)],
    ['the merging of order counts', MERGE_COUNTS_MS, () => mergeOrderCounts(store)],
    ['the deletion of orphaned files', SWEEP_OLD_MS, () => sweepOrphans(store, services.files, log)],
    ['the delivery of webhooks', WEBHOOKS_MS, webhookSender({ store, log, poster, stopping: stop.signal })],
    ['the start of scheduled runs', SCHEDULES_MS, scheduleClock(services)],
    ['the start of triggered and gathered runs', STARTS_MS, startsOf(services), services.starts],
    ['the end of runs that nobody has taken in time', EXPIRED_MS, () => endExpired(services)],
    ['the end of waits', WAITS_MS, waitEnder(services), services.waits],
    ['the purchase of labels', COURIER_MS, () => settlePurchases(services, services.couriers)],
    ['the refund of labels', COURIER_MS, () => requestRefunds(services, services.couriers)],
    ['the measurements for /metrics', MEASURE_MS, () => measure(services)],
  ];
  const notices = listenTo(services);
  const repeated = repeatApart(loops, { log, tracing: services.tracing, stopping: stop.signal });
  const close = async (): Promise<void> => {
    stop.abort();
    await closeServer(server);
    await repeated.ended;
    await services.assistantWork.ended();
    await services.logLines.close();
    await poster.close();
    await notices?.close();
    if (options.threads === undefined) await closeSideThreads(services);
    await store.close();
    await services.tracing?.close();
  };
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  return { url, store, ownerToken, firstRounds: repeated.firstRounds, close };
}

/** Takes the events that wait for triggers first, so that what belongs to a start is there when it opens. */
function startsOf(services: Services): () => Promise<number | null> {
  const [openTriggered, openDue] = [triggerOpener(services), startsClock(services)];
  return async () => {
    await openTriggered();
    return openDue();
  };
}

/** Joins the other servers of a PostgreSQL; null: there are none, or the environment says that they are not to be heard. */
function listenTo({ config, store, broadcast, log }: Services): Notices | null {
  const { databaseUrl, databaseListenUrl: listenUrl } = config;
  if (listenUrl === null || !isPostgresUrl(databaseUrl)) return null;
  const hearing = { hear: (text: string) => broadcast.hear(text), missed: () => broadcast.missed(), log };
  const notices = openNotices({ listenUrl, prover: store.reader, ...hearing });
  broadcast.join(notices);
  return notices;
}

function listen(server: Server, { host, port }: ServerConfig): Promise<void> {
  // A large file may take long on a slow connection; code that reads other bodies sets shorter limits.
  server.requestTimeout = 3_600_000;
  server.headersTimeout = 20_000;
  // Longer than the idle time of clients, so that the client ends an idle connection and not the server.
  server.keepAliveTimeout = 75_000;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
