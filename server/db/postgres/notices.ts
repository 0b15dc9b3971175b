import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Db } from '../open.ts';

/** Short texts that the servers of one PostgreSQL send one another. Any may be lost with a connection, and none is kept. */
export type Notices = {
  /** Sends a text soon. Texts that are told meanwhile are sent with it, each once. */
  tell(text: string): void;
  /** Whether what other servers tell arrives here, as far as is known. */
  areHeard(): boolean;
  close(): Promise<void>;
};

/**
 * `listenUrl`: address of the connection that listens. `prover`: where another connection is taken from. `hear` gets what another
 * server has told. `missed`: is called when texts of others may have been lost, and when they are heard for the first time.
 */
export type NoticeOptions = {
  listenUrl: string;
  prover: Db;
  hear(text: string): void;
  missed(): void;
  log: Logger;
};

const CHANNEL = 'backroom';
const NOTIFY = 'SELECT pg_notify($1, $2)';
/** PostgreSQL takes less than 8000 bytes. */
const PAYLOAD_MAX = 7500;
/** After one sending, the next waits so long, so that a burst is told in few notices. */
const APART_MS = 20;
/** More texts than this, which only gather without a connection, are told as one: look at everything. */
const WAITING_MAX = 2000;
const EVERYTHING = 'everything';

const ANSWERS_WITHIN_MS = 3000;
const PROVE_EVERY_MS = 10_000;
const CONNECT_AGAIN_MS = 1000;
const DEAF_AGAIN_MS = 60_000;

/**
 * Texts are sent after the commit of what they tell, not by its transaction: PostgreSQL commits transactions with a NOTIFY one after the
 * other, each with its wait for the disk. What a server that died did not send is found by those who look from time to time.
 */
export function openNotices({ listenUrl, prover, hear, missed, log }: NoticeOptions): Notices {
  const self = randomUUID();
  const waiting = new Set<string>();
  const stop = new AbortController();
  let connection: pg.Client | null = null;
  let heard = false;
  let proof: { nonce: string; arrived: () => void } | null = null;
  let sending: Promise<void> | null = null;

  function receive({ payload = '' }: pg.Notification): void {
    const [sender, ...texts] = payload.split('\n');
    if (sender === self) {
      if (proof && texts[0] === proof.nonce) proof.arrived();
      return;
    }
    for (const text of texts) {
      if (text === EVERYTHING) missed();
      else if (text !== '') hear(text);
    }
  }

  /** Over another connection, because a pooler may show a connection what it has sent itself, and nothing else. */
  async function prove(): Promise<boolean> {
    const nonce = randomUUID();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    proof = { nonce, arrived: () => resolve(true) };
    await sql`SELECT pg_notify(${CHANNEL}, ${`${self}\n${nonce}`})`.execute(prover);
    const timer = setTimeout(() => resolve(false), ANSWERS_WITHIN_MS);
    const arrived = await promise;
    clearTimeout(timer);
    return arrived;
  }

  /** Listens over one connection for as long as it lasts; returns after how long to connect again. */
  async function listenOnce(): Promise<number> {
    const client = new pg.Client({
      ...{ connectionString: listenUrl, application_name: 'backroom notices', keepAlive: true },
      ...{ connectionTimeoutMillis: ANSWERS_WITHIN_MS, query_timeout: ANSWERS_WITHIN_MS },
    });
    const lost = new AbortController();
    const over = AbortSignal.any([lost.signal, stop.signal]);
    client.on('error', () => lost.abort());
    client.on('end', () => lost.abort());
    client.on('notification', receive);
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      connection = client;
      flush();
      while (!over.aborted) {
        if (!(await prove())) {
          if (over.aborted) break;
          log.warn(
            'what other servers tell does not arrive, so this server looks for changes itself: is there a pooler before PostgreSQL? See DATABASE_LISTEN_URL',
          );
          return DEAF_AGAIN_MS;
        }
        if (!heard) {
          heard = true;
          log.debug('other servers are heard');
          missed();
        }
        await delay(PROVE_EVERY_MS, undefined, { signal: over }).catch(() => undefined);
      }
    } finally {
      heard = false;
      connection = null;
      void client.end().catch(() => undefined);
    }
    return CONNECT_AGAIN_MS;
  }

  async function listen(): Promise<void> {
    while (!stop.signal.aborted) {
      const pauseMs = await listenOnce().catch((err: unknown) => {
        if (!stop.signal.aborted) log.warn({ err }, 'the connection that hears other servers failed; it is tried again');
        return CONNECT_AGAIN_MS;
      });
      await delay(pauseMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  }

  function flush(): void {
    if (sending !== null || connection === null || waiting.size === 0) return;
    sending = sendWaiting(connection).finally(() => {
      sending = null;
      flush();
    });
  }

  async function sendWaiting(client: pg.Client): Promise<void> {
    // What is told later in this turn of the event loop joins this notice.
    await Promise.resolve();
    const texts = takePart(waiting);
    try {
      await client.query({ text: NOTIFY, values: [CHANNEL, [self, ...texts].join('\n')] });
    } catch {
      // The connection is lost; the next one sends them.
      for (const text of texts) waiting.add(text);
      if (connection === client) connection = null;
      return;
    }
    await delay(APART_MS, undefined, { signal: stop.signal }).catch(() => undefined);
  }

  const listening = listen();
  return {
    tell(text) {
      if (stop.signal.aborted) return;
      waiting.add(text);
      if (waiting.size > WAITING_MAX) {
        waiting.clear();
        waiting.add(EVERYTHING);
      }
      flush();
    },
    areHeard: () => heard,
    async close() {
      stop.abort();
      await sending;
      await listening;
    },
  };
}

/** Takes as many texts as one notice can carry. */
function takePart(waiting: Set<string>): string[] {
  const texts: string[] = [];
  let bytes = 0;
  for (const text of waiting) {
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > PAYLOAD_MAX && texts.length > 0) break;
    texts.push(text);
    waiting.delete(text);
  }
  return texts;
}
