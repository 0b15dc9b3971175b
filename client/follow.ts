import { ApiError } from '../contract/calls.ts';
import { isPassing, NotBackroom, Unreachable } from './errors.ts';
import { refusalOf, type Sender, whole } from './requests.ts';
import { pause, type Retries, waitBefore } from './retries.ts';
import { type MessageText, readMessages } from './streams.ts';

export type FollowOptions = {
  /** The id of a message that is known already. */
  after?: string;
  signal?: AbortSignal | undefined;
  retries?: Retries | undefined;
  /** The server is asked again after this time although it asks for a longer wait (`Retry-After`). */
  mostWaitMs?: number;
  /** A connection that is silent for longer is made again. */
  silentMs?: number;
  /** `open`: it is connected. `lost`: the connection is made again soon. */
  onState?(state: 'open' | 'lost'): void;
  /** The server is known: what another program answers in its place is a gateway's, and passes unless it refuses (4xx). */
  isKnown?: boolean;
};

/** A connection that lasted so long has not failed when it ends, although nothing may have been told on it. */
const LASTED_MS = 15_000;

/** Follows an event stream over lost connections, each message once; ends where nothing more will come. */
export async function* followMessages(
  { url, once }: Sender,
  path: string,
  { after = '', signal, retries, mostWaitMs = Number.POSITIVE_INFINITY, silentMs, onState, isKnown = false }: FollowOptions = {},
): AsyncGenerator<MessageText, void> {
  let lastId = after;
  for (let failures = 0; ; ) {
    const headers = { accept: 'text/event-stream', ...(lastId === '' ? {} : { 'last-event-id': lastId }) };
    let failure: unknown = new Unreachable(url, { cause: new Error('the stream broke off') });
    let asked: string | null = null;
    let openedAt = Number.POSITIVE_INFINITY;
    try {
      const answer = await once(path, { headers, ...(signal && { signal }) });
      if (answer.status === 204) return;
      asked = answer.headers.get('retry-after');
      if (answer.status !== 200) throw refusalOf(await whole(url, answer));
      if (answer.body === null || !/^text\/event-stream\b/.test(answer.headers.get('content-type') ?? '')) throw new NotBackroom(url, 200);
      openedAt = performance.now();
      onState?.('open');
      for await (const message of readMessages(url, answer.body, silentMs)) {
        if (message.id !== '') lastId = message.id;
        if (message.data === '') continue;
        failures = 0;
        yield message;
      }
      if (lastId === 'end') return;
    } catch (error) {
      signal?.throwIfAborted();
      // What is not Backroom may be a gateway while the server is replaced, once the stream has begun.
      if (!mayPass(error, isKnown || lastId !== after)) throw error;
      failure = error;
    }
    signal?.throwIfAborted();
    if (performance.now() - openedAt > LASTED_MS) failures = 0;
    onState?.('lost');
    const wait = waitBefore(failures++, asked, retries);
    if (wait === null) throw failure;
    await pause(Math.min(wait, mostWaitMs), signal);
  }
}

function mayPass(error: unknown, isKnown: boolean): boolean {
  if (error instanceof ApiError) return error.status >= 500 || isPassing(error.status, error.problem);
  // With 4xx a gateway refuses, as the server would.
  const isRefused = error instanceof NotBackroom && error.status >= 400 && error.status < 500;
  return error instanceof Unreachable || (error instanceof NotBackroom && isKnown && !isRefused);
}
