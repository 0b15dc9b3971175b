import type { Calls } from './calls.ts';
import { TextDecoder } from './encoding.ts';

type Block = { size: number; data: string };

/** `files`: what the starter uploaded for the run. */
export function createFiles(calls: Calls): object {
  return Object.freeze({
    async read(name: unknown): Promise<Uint8Array> {
      let bytes = new Uint8Array(0);
      await eachBlock('files.read', name, (block, offset, size) => {
        if (offset === 0) bytes = new Uint8Array(size);
        bytes.set(block, offset);
      });
      return bytes;
    },
    async text(name: unknown): Promise<string> {
      const decoder = new TextDecoder();
      let text = '';
      await eachBlock('files.text', name, (block) => {
        text += decoder.decode(block, { stream: true });
      });
      return text + decoder.decode();
    },
  });

  async function eachBlock(caller: string, name: unknown, take: (block: Uint8Array, offset: number, size: number) => void): Promise<void> {
    if (typeof name !== 'string') throw new TypeError(`${caller} takes the name of a parameter`);
    for (let offset = 0; ; ) {
      const { size, data }: Block = JSON.parse(await calls.call('file_read', `{"name":${JSON.stringify(name)},"offset":${offset}}`));
      const block = Uint8Array.fromBase64(data);
      if (offset === 0 || block.length > 0) take(block, offset, size);
      offset += block.length;
      if (offset >= size || block.length === 0) return;
    }
  }
}
