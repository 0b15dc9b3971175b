import type { Content } from '../providers/files/file-store.ts';

/** An answer whose body is the content of a file. `sizeBytes` null: it is not known before all of it is made. */
export type FileAnswer = {
  status: 200;
  headers: Record<string, string>;
  content: Omit<Content, 'sizeBytes'> & { sizeBytes: number | null };
};

/** A file that browsers save and never display. */
export function attachment(content: Content, filename: string, contentType: string): FileAnswer {
  const headers = { 'Content-Type': contentType, 'Content-Disposition': disposition(filename) };
  return { status: 200, headers, content };
}

/** A file that is made while it is sent: each part when the client has taken the one before it. */
export function madeFile(filename: string, contentType: string, parts: () => AsyncIterable<string>): FileAnswer {
  return {
    status: 200,
    headers: { 'Content-Type': contentType, 'Content-Disposition': disposition(filename) },
    content: {
      sizeBytes: null,
      chunks: async function* () {
        for await (const part of parts()) yield Buffer.from(part);
      },
      close: async () => undefined,
    },
  };
}

/** A part of a file, with its place in the whole. `content` is null if nothing is left at that place. */
export function filePart({ offset, totalBytes, content }: { offset: number; totalBytes: number; content: Content | null }): FileAnswer {
  const place = content === null ? `bytes */${totalBytes}` : `bytes ${offset}-${offset + content.sizeBytes - 1}/${totalBytes}`;
  const headers = { 'Content-Type': 'application/octet-stream', 'Content-Disposition': 'attachment', 'Content-Range': place };
  return { status: 200, headers, content: content ?? contentOf(Buffer.alloc(0)) };
}

/** A text that was made for this answer. */
export function shownText(text: string, contentType: string, headers: Record<string, string>): FileAnswer {
  return { status: 200, headers: { ...headers, 'Content-Type': contentType }, content: contentOf(Buffer.from(text)) };
}

function contentOf(bytes: Buffer): Content {
  return {
    sizeBytes: bytes.length,
    chunks: async function* () {
      yield bytes;
    },
    close: async () => undefined,
  };
}

/** A Content-Disposition header with the exact name (RFC 5987), and an ASCII name for older clients. */
export function disposition(filename: string): string {
  const ascii = filename.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\%]/g, '_');
  const exact = encodeURIComponent(filename.toWellFormed()).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${exact}`;
}
