import { createHash } from 'node:crypto';

/** The body that came with an ETag of one path. */
type Seen = { body: string; shown: string };

/**
 * A client that sends a known ETag gets 304 as long as the ETag stays the same, so two different bodies must never have the same
 * ETag. Returns a function that takes every answer to a GET and returns what is wrong with it, or null.
 */
export function watchEtags(): (path: string, answer: { etag: string | undefined; text: string }) => string | null {
  const known = new Map<string, Seen>();
  return (path, { etag, text }) => {
    if (etag === undefined) return null;
    const key = `${path} ${etag}`;
    const body = createHash('sha256').update(text).digest('hex');
    const before = known.get(key);
    if (before === undefined) known.set(key, { body, shown: text.slice(0, SHOWN) });
    if (before === undefined || before.body === body) return null;
    return `GET ${path} has ${etag} for\n${before.shown}\nand for\n${text.slice(0, SHOWN)}`;
  };
}

const SHOWN = 2000;
