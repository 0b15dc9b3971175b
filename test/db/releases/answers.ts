import type { Endpoint } from '../../../contract/endpoint.ts';
import { endpoints } from '../../../contract/index.ts';
import type { TestApp } from '../../helpers/app.ts';

/** Answers of the API by their paths. */
export type Answers = Record<string, unknown>;

/** Reads that tell of this moment or of the program, not of what is stored. */
const OF_THE_MOMENT =
  /^(dashboard|runner|task_examples|assistant|changes)\.|^me\.sign_in_options$|\.(preview_schedule|list_upcoming|stream_run|export)$/;
/** So many records of a list are read one by one. */
const OF_A_LIST = 8;

/**
 * Reads all that the API shows of the shop: every list, then each of its records and what belongs to them. `paths` adds records
 * that stand in no list.
 */
export async function readAll(app: TestApp, paths: readonly string[]): Promise<Answers> {
  const answers: Answers = {};
  const read = async (path: string): Promise<unknown> => {
    if (path in answers) return answers[path];
    const { status, headers, body } = await app.request({ path: `/admin/api${path}` });
    if (status !== 200 || !headers['content-type']?.includes('json')) return undefined;
    answers[path] = body;
    return body;
  };
  /** The paths that a template such as `/orders/{id}/edits` stands for: of the ids, those that the list before them has. */
  const pathsOf = async (template: string): Promise<string[]> => {
    const at = template.lastIndexOf('/{');
    if (at < 0) return [template];
    const [, name = '', rest = ''] = /^\/\{(\w+)\}(.*)$/.exec(template.slice(at)) ?? [];
    const found: string[] = [];
    for (const list of await pathsOf(template.slice(0, at))) {
      if (!templates.has(template.slice(0, at))) continue;
      for (const item of itemsOf(await read(list)).slice(0, OF_A_LIST)) {
        const key = item[name] ?? item['id'];
        if (key !== undefined) found.push(`${list}/${encodeURIComponent(String(key))}${rest}`);
      }
    }
    return found;
  };
  const templates = new Set(readable.map(({ path }) => path));
  for (const { path } of readable) for (const one of await pathsOf(path)) await read(one);
  for (const path of paths) await read(path);
  return answers;
}

const readable = Object.values<Endpoint>(endpoints).filter(({ id, method }) => method === 'GET' && !OF_THE_MOMENT.test(id));

type Item = Record<string, unknown>;
const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The records of a list: the answer itself, or the first of its fields that is one. */
function itemsOf(answer: unknown): Item[] {
  const list = isItem(answer) ? Object.values(answer).find(Array.isArray) : answer;
  return Array.isArray(list) ? list.filter(isItem) : [];
}

/** Fields that tell when something was last used or at which address the server is, or which come with every answer anew. */
const CHANGING = new Set([
  ...['last_used_at', 'last_seen_at', 'origin'],
  ...['changes_cursor', 'next_cursor', 'total', 'unread_count', 'used_bytes'],
]);

/** What of the answers is not found in those of today, as `path field: value`. A later version may add fields and records. */
export function lostOf(before: Answers, now: Answers): string[] {
  return Object.entries(before).flatMap(([path, answer]) => (path in now ? lost(answer, now[path], path) : [`${path}: is not answered`]));
}

function lost(before: unknown, now: unknown, at: string): string[] {
  if (Array.isArray(before) && Array.isArray(now)) {
    return before.flatMap((one, i) => {
      if (now.some((other) => lost(one, other, at).length === 0)) return [];
      const same = isItem(one) && 'id' in one ? now.find((other) => isItem(other) && other['id'] === one['id']) : now[i];
      return lost(one, same, `${at} [${isItem(one) && 'id' in one ? `id ${one['id']}` : i}]`);
    });
  }
  if (isItem(before) && isItem(now)) {
    return Object.entries(before).flatMap(([name, value]) => (CHANGING.has(name) ? [] : lost(value, now[name], `${at} ${name}`)));
  }
  return Object.is(before, now) ? [] : [`${at}: ${JSON.stringify(before)}, and now ${JSON.stringify(now)}`];
}
