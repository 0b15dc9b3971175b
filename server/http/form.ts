import type { IncomingMessage } from 'node:http';
import { Dicer } from '@fastify/busboy';
import { Refusal } from '../verbs/problem.ts';

/** A part that is a file, as its sender describes it; null: not given. */
export type FilePart = { filename: string | null; contentType: string | null; content: AsyncIterable<Buffer> };

/** `otherFiles`: those that came under another name than `file`, whose content is dropped. */
export type Form<T> = { fields: Map<string, string>; otherFiles: Map<string, { filename: string }>; file: T | null };

/** A sender that is silent for this long is considered gone. */
const IDLE_MS = 60_000;
const MAX_PARTS = 100;
/** Largest size of everything but the file: text parts, headers, other files, and the bytes before and between the parts. */
const MAX_OTHER_BYTES = 1024 * 1024;
/** The same limit for arriving blocks: the whole block in which the file begins is counted, although it contains part of the file. */
export const OUTSIDE_FILE_MAX_BYTES = MAX_OTHER_BYTES + 64 * 1024;

/**
 * Reads a multipart form while it arrives. The part `file` is passed to `take` as a stream, no faster than it is consumed; of the other
 * parts only text parts are kept. An error stops the reading at once and discards the file.
 */
export function readForm<T extends { discard(): Promise<void> }>(
  request: IncomingMessage,
  boundary: string,
  take: (part: FilePart, fields: Form<T>['fields']) => Promise<T | null>,
  idleMs: number = IDLE_MS,
): Promise<Form<T>> {
  const fields: Form<T>['fields'] = new Map();
  const otherFiles: Form<T>['otherFiles'] = new Map();
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
    const idle = setTimeout(() => stop(malformed(`The sender of the form was silent for ${idleMs} ms.`)), idleMs);
    // Counts each block before the parser gets it, because the parser reports no headers while they arrive.
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
      if (!request.complete) stop(malformed('The connection ended before the end of the form.'));
    };
    const done = (): void => {
      if (stopped) return;
      stopped = true;
      end();
      Promise.resolve(file).then((taken) => resolve({ fields, otherFiles, file: taken }), reject);
    };
    const count = (chunk: Buffer): void => {
      others += chunk.length;
      if (others > MAX_OTHER_BYTES) stop(tooMuch());
    };
    // The parser may finish before the last parts have been read.
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
        // After `stop` the parser still emits the parts of its current block.
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
        } else {
          if (name !== null && filename !== null) otherFiles.set(name, { filename });
          part.on('data', count);
        }
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
  const detail = `A form may have at most ${MAX_OTHER_BYTES} bytes besides its file.`;
  return new Refusal('body_too_large', detail, { extra: { limit_bytes: MAX_OTHER_BYTES } });
}

function twice(): Refusal {
  const detail = 'a form may contain only one part named file';
  return new Refusal('duplicate', detail, { errors: [{ pointer: '/file', parameter: null, code: 'duplicate', detail }] });
}

type Described = { name: string | null; filename: string | null; contentType: string | null };

/** Reads the headers of a part; names arrive as bytes of UTF-8. */
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

/** The parameters of `form-data; name="file"; filename="x \"y\".txt"`; null: not a part of a form. */
function parametersOf(disposition: string | null): ReadonlyMap<string, string> | null {
  if (disposition === null || !/^form-data\s*(;|$)/i.test(disposition)) return null;
  const found = disposition.matchAll(PARAMETER);
  return new Map(
    [...found].map(([, name = '', quoted, bare = '']) => [name.toLowerCase(), quoted === undefined ? bare : unquoted(quoted)]),
  );
}

/** Some senders escape with a backslash; browsers percent-encode quotation marks and line breaks. */
function unquoted(text: string): string {
  return text
    .replaceAll(/\\(["\\])/g, '$1')
    .replaceAll('%22', '"')
    .replaceAll(/%0[da]/gi, '');
}

/** Decodes `UTF-8''na%C3%AFve.txt` (RFC 5987). */
function extended(value: string | null | undefined): string | null {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value ?? '')?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
