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
  const header = Buffer.alloc(HEADER_BYTES);
  /** The body of a frame that has begun to arrive. No chunk is kept: each costs memory of its own, and a frame may come byte by byte. */
  let body: Buffer | null = null;
  /** How many bytes of the header or of the body have arrived. */
  let filled = 0;
  let broken = false;

  socket.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length && !broken; ) at = body === null ? readHeader(chunk, at) : readBody(body, chunk, at);
  });

  /** Reads from this place of the chunk, as the other functions do; returns the place of the first byte that was not read. */
  function readHeader(chunk: Buffer, from: number): number {
    const at = fill(header, chunk, from);
    if (filled < HEADER_BYTES) return at;
    filled = 0;
    const length = header.readUInt32BE(0);
    if (length > MAX_BYTES) {
      fail();
    } else if (chunk.length - at >= length) {
      deliver(chunk.subarray(at, at + length));
      return at + length;
    } else {
      body = Buffer.allocUnsafe(length);
    }
    return at;
  }

  function readBody(into: Buffer, chunk: Buffer, from: number): number {
    const at = fill(into, chunk, from);
    if (filled === into.length) {
      body = null;
      filled = 0;
      deliver(into);
    }
    return at;
  }

  function fill(into: Buffer, chunk: Buffer, from: number): number {
    const copied = chunk.copy(into, filled, from);
    filled += copied;
    return from + copied;
  }

  function deliver(bytes: Buffer): void {
    const message = parse(bytes);
    if (message === undefined) fail();
    else onMessage(message);
  }

  function fail(): void {
    broken = true;
    body = null;
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
