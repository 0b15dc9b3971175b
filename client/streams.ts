import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { Unreachable } from './errors.ts';

/** One message of an event stream; `data` is its JSON. */
export type StreamMessage = { id: string; event: string; data: unknown };

/** The server sends a comment every 15 s; a stream that is silent for longer is dead. */
const SILENT_MS = 40_000;

/** Reads the messages of one connection to `url`; throws `Unreachable` where it breaks off or is silent for too long. */
export async function* readMessages(url: string, body: ReadableStream<Uint8Array>): AsyncGenerator<StreamMessage> {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Only while somebody waits: one who works on a message leaves the stream unread, which is no silence of the server.
  let isAwaited = false;
  const listen = (): void => {
    clearTimeout(timer);
    if (isAwaited) timer = setTimeout(() => silence.abort(new Error('the stream is silent')), SILENT_MS);
  };
  const heard = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      listen();
      controller.enqueue(chunk);
    },
  });
  // The types of the two steps differ between Node and browsers in what they write.
  const decoder: ReadableWritablePair<string, Uint8Array> = new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>;
  const messages = body
    .pipeThrough(heard, { signal: silence.signal })
    .pipeThrough(decoder)
    .pipeThrough<EventSourceMessage>(new EventSourceParserStream())
    .getReader();
  try {
    for (;;) {
      isAwaited = true;
      listen();
      const { done, value } = await messages.read().catch((cause: unknown) => {
        throw new Unreachable(url, { cause });
      });
      isAwaited = false;
      clearTimeout(timer);
      if (done) return;
      yield { id: value.id ?? '', event: value.event ?? 'message', data: JSON.parse(value.data) };
    }
  } finally {
    clearTimeout(timer);
    await messages.cancel().catch(() => undefined);
  }
}
