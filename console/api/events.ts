import { session } from './session.ts';

/** One message of an event stream. */
export type StreamMessage = { id: string; event: string; data: string };

export type StreamState = 'open' | 'lost' | 'ended';

type FollowOptions = {
  signal: AbortSignal;
  /** The id of the last message that is known already; the stream goes on after it. */
  after?: string;
  onMessage(message: StreamMessage): void;
  /** `lost`: the connection is being made again. `ended`: nothing more will come. */
  onState(state: StreamState): void;
};

const BACKOFF_MS = [500, 1000, 2000, 5000, 10_000];
/** The server sends a comment every 15 s; a stream that is silent for longer is dead. */
const SILENT_MS = 25_000;
const isFinal = (status: number): boolean => status === 204 || (status >= 400 && status < 500 && status !== 429);

/**
 * Follows an event stream of the API (`path` is relative to `/admin/api`) with the token of this tab, over lost connections: each
 * message comes once, since the stream goes on after the last id that came.
 */
export async function follow(path: string, { signal, after, onMessage, onState }: FollowOptions): Promise<void> {
  let lastId = after;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const status = await readOnce(
        path,
        lastId,
        signal,
        (message) => {
          if (message.id !== '') lastId = message.id;
          onMessage(message);
        },
        () => {
          failures = 0;
          onState('open');
        },
      );
      if (isFinal(status) || lastId === 'end') return onState('ended');
    } catch {
      // The connection is lost, or the server is not there: it is tried again below.
    }
    if (signal.aborted) return;
    onState('lost');
    await pause(BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 0, signal);
    failures += 1;
  }
}

async function readOnce(
  path: string,
  lastId: string | undefined,
  signal: AbortSignal,
  onMessage: (message: StreamMessage) => void,
  onOpen: () => void,
): Promise<number> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENT_MS);
  try {
    const answer = await fetch(`/admin/api${path}`, {
      headers: {
        accept: 'text/event-stream',
        ...(session.token() === null ? {} : { authorization: `Bearer ${session.token()}` }),
        ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
      },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (answer.status !== 200 || !answer.body) return answer.status;
    onOpen();
    const parser = createParser(onMessage);
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENT_MS);
      parser(chunk);
    }
    return answer.status;
  } finally {
    clearTimeout(timer);
  }
}

/** Splits the text of a stream into messages; the server ends lines with `\n` alone. */
function createParser(onMessage: (message: StreamMessage) => void): (chunk: string) => void {
  let rest = '';
  let message: StreamMessage = { id: '', event: 'message', data: '' };
  return (chunk) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, name, value = ''] = /^(id|event|data): ?(.*)$/.exec(line) ?? [];
      if (line === '' && message.data !== '') onMessage(message);
      if (line === '') message = { id: '', event: 'message', data: '' };
      else if (name === 'id') message.id = value;
      else if (name === 'event') message.event = value;
      else if (name === 'data') message.data = message.data === '' ? value : `${message.data}\n${value}`;
    }
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
