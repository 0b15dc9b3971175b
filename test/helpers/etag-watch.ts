import { createHash } from 'node:crypto';

/** What the ETag of one path stood for. */
type Seen = { body: string; shown: string };

/**
 * Whoever has an ETag is answered 304 while it is the same, so two different bodies must never have the same one. Gives a
 * function that is told every answer to a GET, and gives what is wrong with it.
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
