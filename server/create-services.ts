import pino, { type Logger } from 'pino';
import { HTTP_ANSWER_MAX_BYTES } from '../contract/http.ts';
import { openTracing } from '../tracing/tracing.ts';
import { transact } from './calls/verb/transaction.ts';
import { readConfig, type ServerConfig } from './config.ts';
import type { Store } from './db/open.ts';
import { createSchemaChecker } from './json-schema/check.ts';
import { AssistantWork } from './process/assistant-work.ts';
import { Broadcast } from './process/broadcast.ts';
import { Followers } from './process/followers.ts';
import { createKeyring } from './process/keyring.ts';
import { createMetrics } from './process/metrics.ts';
import { RateLimits } from './process/rate-limits.ts';
import { RunQueue } from './process/run-queue.ts';
import { Signal } from './process/signal.ts';
import { VERSION } from './process/version.ts';
import { createChat } from './providers/chat/chats.ts';
import { createCouriers } from './providers/courier/couriers.ts';
import { createLabelFonts } from './providers/courier/label-fonts.ts';
import { openFiles } from './providers/files/open.ts';
import { createAccessTokens } from './providers/http/access-tokens.ts';
import { createOutgoing, type Outgoing } from './providers/http/send.ts';
import { createOpenAiLlm } from './providers/llm/openai.ts';
import { createStripe } from './providers/payments/stripe.ts';
import { LogLines } from './resources/audit/log-lines.ts';
import { keyPrefix } from './resources/storage/domain.ts';
import { type Services, SettingsCache } from './services.ts';
import { createSourceChecker } from './source-check/check.ts';
import { createTemplateRenderer } from './templates/renderer.ts';
import { createTypeChecker } from './type-check/check.ts';

/** What works on untrusted input, each in a thread that starts when it first has work. */
export type SideThreads = Pick<Services, 'checker' | 'types' | 'renderer' | 'schemas'>;

/**
 * With servers that hear one another, a look from time to time finds only what one did not tell before it died. Streams look before they
 * send that they are alive (15 s).
 */
const LOOK_MS = 5000;

/**
 * `outgoing`: sends the requests of tasks in place of the network. `threads`: shared with other servers of this process. `lookMs`: how often
 * a server that hears the others looks for changes. `rateClock`: the milliseconds by which rate limits fill up again.
 */
export type ServicesOptions = {
  checkResponses?: boolean | undefined;
  outgoing?: Outgoing | undefined;
  threads?: SideThreads | undefined;
  lookMs?: number | undefined;
  rateClock?: (() => number) | undefined;
};

/** Creates what one process shares, on an open store with the newest schema. */
export async function createServices(
  config: ServerConfig,
  store: Store,
  log: Logger,
  stopping: AbortSignal,
  { checkResponses = false, outgoing, threads = createSideThreads(), lookMs = LOOK_MS, rateClock }: ServicesOptions = {},
): Promise<Services> {
  const metrics = createMetrics();
  const broadcast = new Broadcast(lookMs);
  const sender = outgoing ?? createOutgoing({ allowPrivate: config.allowPrivateWebhooks, answerMaxBytes: HTTP_ANSWER_MAX_BYTES });
  const services: Services = {
    config,
    listening: { port: config.port },
    store,
    files: await openFiles(config, await keyPrefix(store)),
    log,
    logLines: new LogLines(store, log),
    metrics,
    tracing: await openTracing(config.tracing, { part: 'server', version: VERSION, log }),
    settings: new SettingsCache(broadcast),
    couriers: createCouriers(config.courier),
    labelFonts: createLabelFonts(config.labelFonts, (file, error) => log.error({ file, err: error }, 'the font of LABEL_FONT is not used')),
    keyring: createKeyring(config),
    llm: createOpenAiLlm(config.llm),
    chat: createChat({ silentMs: config.llm.timeoutMs }),
    outgoing: sender,
    accessTokens: createAccessTokens(sender),
    payments: createStripe(config),
    ...threads,
    incoming: { usedBytes: 0, uploads: new Map() },
    checkResponses,
    broadcast,
    rateLimits: new RateLimits(broadcast, rateClock),
    work: broadcast.add('work', new RunQueue(() => metrics.runsOpened.inc())),
    starts: broadcast.add('starts', new Signal()),
    waits: broadcast.add('waits', new Signal()),
    runFollowers: new Followers(broadcast, 'run'),
    threadFollowers: new Followers(broadcast, 'thread'),
    assistantWork: new AssistantWork(),
    changes: broadcast.add('changes', new Signal()),
    access: broadcast.add('access', new Signal()),
    stopping,
    transact: (...act) => transact(services, ...act),
  };
  return services;
}

/** The services of a process that serves no requests, for a loop that is started by hand. They write no log. */
export function createQuietServices(store: Store, dataDir: string): Promise<Services> {
  return createServices(readConfig({ DATA_DIR: dataDir }), store, pino({ level: 'silent' }), new AbortController().signal);
}

export function createSideThreads(): SideThreads {
  return { checker: createSourceChecker(), types: createTypeChecker(), renderer: createTemplateRenderer(), schemas: createSchemaChecker() };
}

/** Ends the side threads of the services; the store is closed by whoever opened it. */
export async function closeSideThreads({ checker, types, renderer, schemas }: SideThreads): Promise<void> {
  await checker.close();
  await types.close();
  await renderer.close();
  await schemas.close();
}
