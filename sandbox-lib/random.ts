/** Random numbers that come out the same again for the same seed (automation.md §5). */
export type Random = {
  seed(hex: string): void;
  fill(bytes: Uint8Array): void;
  /** Bytes since the seed. */
  drawn(): number;
  /** Leaves out so many. */
  skip(count: number): void;
};

/** ChaCha20 (RFC 8439) as a stream of bytes: fast enough for Math.random, and not to be guessed from its output. */
export function createRandom(): Random {
  const state = new Uint32Array(16);
  const block = new Uint32Array(16);
  const bytes = new Uint8Array(block.buffer);
  let used = 64;
  let drawn = 0;

  return {
    seed(hex) {
      state.fill(0);
      state.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
      for (let i = 0; i < 8; i++) state[4 + i] = Number.parseInt(hex.slice(i * 8, i * 8 + 8), 16);
      used = 64;
      drawn = 0;
    },
    fill(target) {
      for (let i = 0; i < target.length; i++) {
        if (used === 64) nextBlock();
        target[i] = bytes[used] ?? 0;
        used += 1;
      }
      drawn += target.length;
    },
    drawn: () => drawn,
    skip(count) {
      for (let i = 0; i < count; i++) {
        if (used === 64) nextBlock();
        used += 1;
      }
      drawn += count;
    },
  };

  function nextBlock(): void {
    block.set(state);
    for (let round = 0; round < 10; round++) {
      for (let i = 0; i < 4; i++) quarter(i, 4 + i, 8 + i, 12 + i);
      for (let i = 0; i < 4; i++) quarter(i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4));
    }
    for (let i = 0; i < 16; i++) block[i] = word(i) + (state[i] ?? 0);
    state[12] = ((state[12] ?? 0) + 1) >>> 0;
    if (state[12] === 0) state[13] = ((state[13] ?? 0) + 1) >>> 0;
    used = 0;
  }

  function quarter(a: number, b: number, c: number, d: number): void {
    block[a] = word(a) + word(b);
    block[d] = rotate(word(d) ^ word(a), 16);
    block[c] = word(c) + word(d);
    block[b] = rotate(word(b) ^ word(c), 12);
    block[a] = word(a) + word(b);
    block[d] = rotate(word(d) ^ word(a), 8);
    block[c] = word(c) + word(d);
    block[b] = rotate(word(b) ^ word(c), 7);
  }

  function word(index: number): number {
    return block[index] ?? 0;
  }
}

/** Makes Math.random read the generator, and gives the `crypto` of scripts. */
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

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
