import type { IncomingMessage } from 'node:http';
import { Dicer } from '@fastify/busboy';
import { Refusal } from '../verbs/problem.ts';

/** A part that is a file, as its sender describes it; null: not told. */
export type FilePart = { filename: string | null; contentType: string | null; content: AsyncIterable<Buffer> };

export type Form<T> = { fields: Map<string, string>; file: T | null };

/** A sender that says nothing for so long is taken for gone. */
const IDLE_MS = 60_000;
const MAX_PARTS = 100;
/** Whatever is not the file: text parts, headers, other files, and what is before and between them. */
const MAX_OTHER_BYTES = 1024 * 1024;
/** The same as it comes in: a block in which the file begins is counted with all that is in it. */
export const OUTSIDE_FILE_MAX_BYTES = MAX_OTHER_BYTES + 64 * 1024;

/**
 * Reads a multipart form as it comes in. The part `file` is handed over while the request is still being read, and
 * only as fast as it is taken; of all else only text parts are kept. What goes wrong stops the reading at once, and
 * what has been taken is discarded.
 */
export function readForm<T extends { discard(): Promise<void> }>(
  request: IncomingMessage,
  boundary: string,
  take: (part: FilePart, fields: Form<T>['fields']) => Promise<T | null>,
  idleMs: number = IDLE_MS,
): Promise<Form<T>> {
  const fields: Form<T>['fields'] = new Map();
  const dicer = new Dicer({ boundary, maxHeaderPairs: 20 });
  let file: Promise<T | null> | null = null;
  let content: { destroy(error: Error): unknown } | null = null;
  let others = 0;
  let outsideFile = 0;
  let isInFile = false;
  let parts = 0;
  let open = 0;
  let finished = false;
  let stopped = false;
  return new Promise((resolve, reject) => {
    const idle = setTimeout(() => stop(malformed(`Nothing has come for ${idleMs} ms.`)), idleMs);
    // The parser is given the block after this; it tells nothing of headers while they come in.
    const arrive = (block: Buffer): void => {
      idle.refresh();
      if (!isInFile) outsideFile += block.length;
      if (outsideFile > OUTSIDE_FILE_MAX_BYTES) stop(tooMuch());
    };
    const end = (): void => {
      clearTimeout(idle);
      request.off('data', arrive);
      request.unpipe(dicer);
      request.off('error', lost);
      request.off('close', lost);
    };
    const stop = (error: Error): void => {
      if (stopped) return;
      stopped = true;
      end();
      dicer.destroy();
      content?.destroy(error);
      Promise.resolve(file)
        .then((taken) => taken?.discard())
        .catch(() => undefined)
        .finally(() => reject(error));
    };
    const lost = (): void => {
      if (!request.complete) stop(malformed('The connection ended before the form did.'));
    };
    const done = (): void => {
      if (stopped) return;
      stopped = true;
      end();
      Promise.resolve(file).then((taken) => resolve({ fields, file: taken }), reject);
    };
    const count = (chunk: Buffer): void => {
      others += chunk.length;
      if (others > MAX_OTHER_BYTES) stop(tooMuch());
    };
    // The parser may have finished before the last parts have been read.
    const settle = (): void => {
      if (finished && open === 0) done();
    };
    request.on('error', lost);
    request.on('close', lost);
    dicer.on('error', () => (file === null ? done() : stop(malformed('The form ends before its last boundary.'))));
    dicer.on('part', (part) => {
      if (++parts > MAX_PARTS) return stop(malformed(`The form has more than ${MAX_PARTS} parts.`));
      part.on('error', () => undefined);
      part.on('header', (header) => {
        // The parser goes through the rest of its piece.
        if (stopped) return;
        const { name, filename, contentType } = describe(header);
        open += 1;
        part.on('end', () => {
          open -= 1;
          settle();
        });
        if (name === 'file' && (filename !== null || (contentType !== null && contentType !== 'text/plain'))) {
          if (file !== null) return stop(twice());
          content = part;
          isInFile = true;
          part.on('end', () => {
            isInFile = false;
          });
          file = take({ filename, contentType, content: part }, fields);
          file.catch(stop);
        } else if (name !== null && filename === null) {
          const chunks: Buffer[] = [];
          part.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            count(chunk);
          });
          part.prependListener('end', () => fields.set(name, Buffer.concat(chunks).toString()));
        } else part.on('data', count);
      });
    });
    dicer.on('finish', () => {
      finished = true;
      settle();
    });
    request.on('data', arrive);
    request.pipe(dicer);
  });
}

function malformed(detail: string): Refusal {
  return new Refusal('malformed_form', detail);
}

function tooMuch(): Refusal {
  const detail = `Beside its file a form may have at most ${MAX_OTHER_BYTES} bytes.`;
  return new Refusal('body_too_large', detail, { extra: { limit_bytes: MAX_OTHER_BYTES } });
}

function twice(): Refusal {
  const detail = 'one file at a time';
  return new Refusal('duplicate', detail, { errors: [{ pointer: '/file', parameter: null, code: 'duplicate', detail }] });
}

type Described = { name: string | null; filename: string | null; contentType: string | null };

/** What the header of a part says; names arrive as bytes of UTF-8. */
function describe(header: object): Described {
  const values = new Map<string, unknown>(Object.entries(header));
  const text = (name: string): string | null => {
    const [value] = [values.get(name)].flat();
    return typeof value === 'string' ? value : null;
  };
  const disposition = parametersOf(text('content-disposition'));
  const utf8 = (value: string | null | undefined): string | null => (value == null ? null : Buffer.from(value, 'latin1').toString());
  return {
    name: utf8(disposition?.get('name')),
    filename: extended(disposition?.get('filename*')) ?? utf8(disposition?.get('filename')),
    contentType: text('content-type'),
  };
}

const PARAMETER = /;\s*([\w!#$&^.*+-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/gs;

/** Of `form-data; name="file"; filename="x \"y\".txt"`; null: the part belongs to no form. */
function parametersOf(disposition: string | null): ReadonlyMap<string, string> | null {
  if (disposition === null || !/^form-data\s*(;|$)/i.test(disposition)) return null;
  const found = disposition.matchAll(PARAMETER);
  return new Map(
    [...found].map(([, name = '', quoted, bare = '']) => [name.toLowerCase(), quoted === undefined ? bare : unquoted(quoted)]),
  );
}

/** Some senders escape with a backslash, browsers a quotation mark and a line break with their codes. */
function unquoted(text: string): string {
  return text
    .replaceAll(/\\(["\\])/g, '$1')
    .replaceAll('%22', '"')
    .replaceAll(/%0[da]/gi, '');
}

/** `UTF-8''na%C3%AFve.txt` (RFC 5987). */
function extended(value: string | null | undefined): string | null {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value ?? '')?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
