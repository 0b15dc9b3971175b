import type { Duplex } from 'node:stream';

/** The largest frame in either direction, in bytes. An answer of 4 MiB fits, however many of its characters need escaping. */
const MAX_BYTES = 24 * 1024 * 1024;
const HEADER_BYTES = 4;

/** Sends one message as a frame: its length in 4 bytes, big-endian, then its JSON. */
export function writeFrame(socket: Duplex, message: object): void {
  const text = JSON.stringify(message);
  const length = Buffer.byteLength(text);
  if (length > MAX_BYTES) throw new RangeError(`a frame may have at most ${MAX_BYTES} bytes`);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  frame.writeUInt32BE(length, 0);
  frame.write(text, HEADER_BYTES);
  socket.write(frame);
}

/**
 * Calls `onMessage` with each message that arrives, as parsed JSON of any shape. At the first frame that is too large or not
 * JSON it calls `onBroken` once and reads no more.
 */
export function readFrames(socket: Duplex, onMessage: (message: unknown) => void, onBroken: () => void): void {
  let chunks: Buffer[] = [];
  let buffered = 0;
  let length = -1;
  let broken = false;

  socket.on('data', (chunk: Buffer) => {
    if (broken) return;
    chunks.push(chunk);
    buffered += chunk.length;
    readBuffered();
  });

  function readBuffered(): void {
    while (!broken) {
      if (length < 0) {
        if (buffered < HEADER_BYTES) return;
        length = take(HEADER_BYTES).readUInt32BE(0);
        if (length > MAX_BYTES) {
          fail();
          return;
        }
      }
      if (buffered < length) return;
      const body = take(length);
      length = -1;
      const message = parse(body);
      if (message === undefined) {
        fail();
        return;
      }
      onMessage(message);
    }
  }

  /** Joins the chunks only once a whole frame has arrived, because a large frame comes in hundreds of chunks. */
  function take(bytes: number): Buffer {
    const first = chunks[0];
    const all = first !== undefined && first.length >= bytes ? first : Buffer.concat(chunks);
    if (all !== first) chunks = [all];
    buffered -= bytes;
    if (all.length === bytes) chunks.shift();
    else chunks[0] = all.subarray(bytes);
    return all.subarray(0, bytes);
  }

  function fail(): void {
    broken = true;
    chunks = [];
    onBroken();
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
