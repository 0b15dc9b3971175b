import { Unreachable } from './errors.ts';

/** One message of an event stream; `data` is its JSON. */
export type StreamMessage = { id: string; event: string; data: unknown };
/** The same as it came: `data` is text. */
export type MessageText = { id: string; event: string; data: string };

/** The server sends a comment every 15 s; a stream that is silent for longer is dead. */
const SILENT_MS = 40_000;

/** Reads the messages of one connection to `url`; throws `Unreachable` where it breaks off or is silent for too long. */
export async function* readMessages(url: string, body: ReadableStream<Uint8Array>, silentMs = SILENT_MS): AsyncGenerator<MessageText> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const messagesIn = createParser();
  try {
    for (;;) {
      const { done, value } = await heard(reader.read(), silentMs).catch((cause: unknown) => {
        throw new Unreachable(url, { cause });
      });
      if (done) return;
      yield* messagesIn(decoder.decode(value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** What is read, unless nothing comes for too long. One who works on a message reads nothing, which is no silence of the server. */
async function heard<T>(reading: Promise<T>, silentMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the stream is silent')), silentMs);
  });
  return Promise.race([reading, silence]).finally(() => clearTimeout(timer));
}

/** Splits the text of a stream into messages; what is left belongs to the next part. One without data tells the place in the stream alone. */
function createParser(): (chunk: string) => MessageText[] {
  let rest = '';
  let message: MessageText = { id: '', event: 'message', data: '' };
  return (chunk) => {
    const whole: MessageText[] = [];
    const lines = `${rest}${chunk}`.split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      // `s`: only CR and LF end a line of a stream; a text in it may have U+2028, which ends one for a regular expression.
      const [, name, value = ''] = /^(id|event|data): ?(.*)$/s.exec(line) ?? [];
      if (line === '' && (message.data !== '' || message.id !== '')) whole.push(message);
      if (line === '') message = { id: '', event: 'message', data: '' };
      else if (name === 'id') message.id = value;
      else if (name === 'event') message.event = value;
      else if (name === 'data') message.data = message.data === '' ? value : `${message.data}\n${value}`;
    }
    return whole;
  };
}
