import { withoutMark } from '../contract/secret-rules.ts';
import type { Calls } from './calls.ts';
import { TextDecoder, TextEncoder } from './encoding.ts';
import { byteLength } from './text.ts';

type ReadBlock = { size: number; data: string };
type Content = { size: number; contentType: string; blocks(): Generator<Uint8Array, void> };

const BLOCK_BYTES = 768 * 1024;
const MAX_NAME_LENGTH = 255;
const MAX_PARAMETER_LENGTH = 64;
const BAD_NAME = /[\p{Cc}/\\]/u;
const CONTENT_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(;[\x20-\x7e]*)?$/;

/** Makes `files`: reads files that were uploaded for the run and writes files that people can download. */
export function createFiles(calls: Calls, mark: () => string): object {
  let writes = 0;
  let writing: Promise<unknown> = Promise.resolve();

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
    async write(name: unknown, data: unknown, contentType?: unknown): Promise<unknown> {
      const checkedName = checkName(name);
      const content = contentOf(typeof data === 'string' ? withoutMark(data, mark()) : data, contentType);
      // Files are written one at a time, because the runner keeps a request open for each.
      const written = writing.then(() => write(checkedName, content));
      writing = written.catch(() => undefined);
      return written;
    },
  });

  async function eachBlock(caller: string, name: unknown, take: (block: Uint8Array, offset: number, size: number) => void): Promise<void> {
    if (typeof name !== 'string' || name === '' || name.length > MAX_PARAMETER_LENGTH) {
      throw new TypeError(`${caller} takes the name of a parameter, of at most ${MAX_PARAMETER_LENGTH} characters`);
    }
    for (let offset = 0; ; ) {
      const { size, data }: ReadBlock = JSON.parse(await calls.call('file_read', `{"name":${JSON.stringify(name)},"offset":${offset}}`));
      const block = Uint8Array.fromBase64(data);
      if (offset === 0 || block.length > 0) take(block, offset, size);
      offset += block.length;
      if (offset >= size || block.length === 0) return;
    }
  }

  /** Sends the file, and all of it again where the runner got no answer from the server. */
  async function write(name: string, content: Content): Promise<unknown> {
    writes += 1;
    const file = writes;
    for (;;) {
      const answer = await sendBlocks(file, name, content);
      if (typeof answer === 'object' && answer !== null && !('again' in answer)) return answer;
    }
  }

  async function sendBlocks(file: number, name: string, { size, contentType, blocks }: Content): Promise<unknown> {
    const start = `{"write":${file},"name":${JSON.stringify(name)},"content_type":${JSON.stringify(contentType)},"size":${size}`;
    let offset = 0;
    for (const block of blocks()) {
      const answer: unknown = JSON.parse(await calls.call('file_write', `${start},"offset":${offset},"data":"${block.toBase64()}"}`));
      if (answer !== null) return answer;
      offset += block.length;
    }
    throw new Error('files.write: the data was changed while it was being sent');
  }
}

function checkName(name: unknown): string {
  if (typeof name !== 'string' || name.trim() === '' || name === '.' || name === '..')
    throw new TypeError('files.write takes the name of a file, which is not blank, "." or ".."');
  if (name.length > MAX_NAME_LENGTH) throw new RangeError(`the name of a file may have at most ${MAX_NAME_LENGTH} characters`);
  if (BAD_NAME.test(name)) throw new TypeError('the name of a file must not contain "/", "\\" or a control character');
  return name.trim().toWellFormed();
}

function contentOf(data: unknown, given: unknown): Content {
  if (typeof data !== 'string' && !(data instanceof Uint8Array)) throw new TypeError('files.write takes a string or a Uint8Array');
  const contentType = given ?? (typeof data === 'string' ? 'text/plain; charset=utf-8' : 'application/octet-stream');
  if (typeof contentType !== 'string' || contentType.length > 255 || !CONTENT_TYPE.test(contentType)) {
    throw new TypeError('the content type of a file must have the form type/subtype, such as text/csv');
  }
  return typeof data === 'string'
    ? { size: byteLength(data), contentType, blocks: () => textBlocks(data) }
    : { size: data.length, contentType, blocks: () => byteBlocks(data) };
}

function* byteBlocks(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at === 0 || at < bytes.length; at += BLOCK_BYTES) yield bytes.subarray(at, at + BLOCK_BYTES);
}

/** UTF-8 blocks of a text, divided between characters. */
function* textBlocks(text: string): Generator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for (let at = 0; at === 0 || at < text.length; ) {
    let end = Math.min(at + BLOCK_BYTES / 3, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last < 0xdc00) end -= 1;
    yield encoder.encode(text.slice(at, end));
    at = Math.max(end, 1);
  }
}
