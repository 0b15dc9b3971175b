import type { CallOptions } from '../../../../contract/calls.ts';
import { once, type Tagged } from '../../../api/client.ts';
import { isEqual, Outdated, PartlySaved } from '../../../parts/record-form.ts';

/** A call of a save, and the values that it saves. */
export type SavePart = { saves(name: string): boolean; send(options: CallOptions): Promise<unknown> };

/**
 * One call after the other, each on the record as the one before has left it, and none over a value that somebody else has changed
 * meanwhile. If a later one is refused, what the earlier ones have saved is saved.
 */
export async function sendParts<V extends object>(
  parts: readonly SavePart[],
  first: CallOptions,
  base: V,
  reread: () => Promise<Tagged<V>>,
): Promise<unknown> {
  let answer: unknown;
  for (const [at, part] of parts.entries()) {
    const isSaved = (name: string): boolean => parts.slice(0, at).some((one) => one.saves(name));
    try {
      answer = await part.send(at === 0 ? first : await nextOptions(part, base, reread));
    } catch (error) {
      throw at === 0 ? error : new PartlySaved(isSaved, error);
    }
  }
  // The ETag of an answer in between is no more the record's.
  return parts.length === 1 ? answer : undefined;
}

async function nextOptions<V extends object>(part: SavePart, base: V, reread: () => Promise<Tagged<V>>): Promise<CallOptions> {
  const { value, etag } = await reread();
  for (const name in value) if (part.saves(name) && !isEqual(value[name], base[name])) throw new Outdated();
  return once(crypto.randomUUID(), etag);
}
