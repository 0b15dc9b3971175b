import type { Services } from '../services.ts';
import type { Actor } from './context.ts';
import { Refusal } from './problem.ts';

const MAX_PER_TOKEN = 50;

/** How many streams each token has open at this server. */
const open = new WeakMap<Services, Map<string, number>>();

type Place = { services: Services; actor: Actor; until: AbortSignal };

/** Counts this stream among those that the token has open, until the stream ends. Refuses one too many (spec SS5). */
export function takePlace({ services, actor, until }: Place): void {
  const counts = open.get(services) ?? new Map<string, number>();
  open.set(services, counts);
  const key = actor.type === 'admin' ? `token ${actor.tokenId}` : actor.type;
  const count = counts.get(key) ?? 0;
  if (count >= MAX_PER_TOKEN)
    throw new Refusal('rate_limited', `A token may have at most ${MAX_PER_TOKEN} streams open at a time; close one first.`, {
      extra: { 'violated-policies': ['streams'], retry_after: 1 },
    });
  if (until.aborted) return;
  counts.set(key, count + 1);
  until.addEventListener('abort', () => counts.set(key, (counts.get(key) ?? 1) - 1), { once: true });
}
