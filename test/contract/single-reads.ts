import { readsRecord } from '../../contract/endpoint.ts';
import { endpointList } from '../../contract/index.ts';
import { watchEtags } from '../helpers/etag-watch.ts';
import type { Answer, Request, Target } from '../torture/bad-input/shop.ts';

const PREFIX = '/admin/api';

export type SingleReads = {
  /** Call it before every request is sent. The record that the request names is read from then on. */
  names(request: Request): Promise<void>;
  /** Call it with the answer to each request. */
  sees(request: Request, answer: Answer): Promise<void>;
  faults: string[];
  /** The endpoints whose record has changed. */
  changed: Set<string>;
};

/** `path`: the path of the record to read; unset until a request has named one. */
type Kind = { id: string; shape: RegExp; path?: string };

/**
 * Reads a record of each kind after every write, whatever was written. Checks that two different bodies never have the same ETag, and
 * that a write returns the ETag of the next read.
 */
export function singleReads(send: Target['send']): SingleReads {
  const kinds = endpointList.filter(readsRecord).map(({ id, path }): Kind => ({ id, shape: shapeOf(path) }));
  const faultOf = watchEtags();
  const bodies = new Map<string, string>();
  const faults: string[] = [];
  const changed = new Set<string>();
  return { names, sees, faults, changed };

  async function names({ method, path }: Request): Promise<void> {
    if (method !== 'GET') await keep(path);
  }

  async function sees({ method, path }: Request, { status, headers }: Answer): Promise<void> {
    if (method === 'GET' || status >= 300) return;
    const location = headers['location'];
    if (location !== undefined) await keep(String(location));
    const read = new Map(await Promise.all(kinds.map(({ id, path: at }) => readAt(id, at))));
    const target = String(location ?? path).slice(PREFIX.length);
    const [told, now] = [headers['etag'], read.get(target)];
    // The read itself changes when the admin was last seen.
    if (told === undefined || now === undefined || told === now || target.startsWith('/admins/')) return;
    faults.push(`${method} ${path} told ${String(told)}, a read ${now}`);
  }

  async function keep(path: string): Promise<void> {
    for (const kind of kinds.filter((one) => one.path === undefined)) {
      const [named] = kind.shape.exec(path.slice(PREFIX.length)) ?? [];
      if (named === undefined) continue;
      kind.path = named;
      await readAt(kind.id, named);
    }
  }

  /** The record with its ETag, if it exists. */
  async function readAt(id: string, at: string | undefined): Promise<[path: string, etag: string | undefined]> {
    if (at === undefined) return ['', undefined];
    const { status, headers, text } = await send({ method: 'GET', path: `${PREFIX}${at}` });
    if (status !== 200) return [at, undefined];
    const etag = String(headers['etag']);
    const fault = faultOf(at, { etag, text });
    if (fault !== null) faults.push(fault);
    if (bodies.has(at) && bodies.get(at) !== text) changed.add(id);
    bodies.set(at, text);
    return [at, etag];
  }
}

/** The part of a path that names the record; the path may continue below it. */
function shapeOf(template: string): RegExp {
  const shape = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name.endsWith('id') ? String.raw`\d+` : '[^?]+'));
  return new RegExp(`^${shape}(?![^/?])`);
}
