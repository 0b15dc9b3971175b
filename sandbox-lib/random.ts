import { chacha20 } from '@noble/ciphers/chacha.js';
import { subtle } from './subtle.ts';

/** A generator of random bytes that gives the same bytes for the same seed (spec JO10). */
export type Random = {
  seed(hex: string): void;
  fill(bytes: Uint8Array): void;
  /** The number of bytes drawn since the seed was set. */
  drawn(): number;
  /** Skips this many bytes. */
  skip(count: number): void;
};

const BLOCKS_AT_ONCE = 16;
const BLOCK_BYTES = 64;

/** ChaCha20 (RFC 8439) as a stream of bytes: it is fast enough for Math.random, and its output cannot be predicted from earlier output. */
export function createRandom(): Random {
  const key = new Uint8Array(32);
  const nonce = new Uint8Array(12);
  const zeros = new Uint8Array(BLOCKS_AT_ONCE * BLOCK_BYTES);
  const stream = new Uint8Array(zeros.length);
  let block = 0;
  let used = stream.length;
  let drawn = 0;

  /** Takes the next bytes of the stream, `count` at most. */
  function take(count: number): Uint8Array {
    if (used === stream.length) {
      chacha20(key, nonce, zeros, stream, block);
      block += BLOCKS_AT_ONCE;
      used = 0;
    }
    const taken = stream.subarray(used, used + count);
    used += taken.length;
    drawn += taken.length;
    return taken;
  }

  return {
    seed(hex) {
      // The eight hex digits of each 32-bit word are read with the last byte first.
      for (let i = 0; i < key.length; i++) key[i ^ 3] = Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16);
      block = 0;
      used = stream.length;
      drawn = 0;
    },
    fill(target) {
      for (let done = 0; done < target.length; ) {
        const taken = take(target.length - done);
        target.set(taken, done);
        done += taken.length;
      }
    },
    drawn: () => drawn,
    skip(count) {
      for (let done = 0; done < count; ) done += take(count - done).length;
    },
  };
}

/** Makes Math.random use the generator, and returns the `crypto` object for scripts. */
export function installRandom(random: Random): object {
  const eight = new Uint8Array(8);
  const words = new Uint32Array(eight.buffer);
  Object.defineProperty(Math, 'random', {
    value: {
      random(): number {
        random.fill(eight);
        return ((words[0] ?? 0) * 0x200000 + ((words[1] ?? 0) >>> 11)) / 2 ** 53;
      },
    }.random,
  });
  return {
    subtle,
    getRandomValues<T extends ArrayBufferView>(array: T): T {
      if (!ArrayBuffer.isView(array) || array instanceof DataView || array instanceof Float32Array || array instanceof Float64Array) {
        throw new TypeError('getRandomValues takes an array of integers');
      }
      if (array.byteLength > 65_536) throw new RangeError('getRandomValues gives at most 65536 bytes');
      random.fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
      return array;
    },
    randomUUID(): string {
      const bytes = new Uint8Array(16);
      random.fill(bytes);
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
      const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
    },
  };
}
