import type { Broadcast } from './broadcast.ts';

/** A token bucket for each key, in memory (spec C13). */
export type RateLimiter = {
  /** `perMinute` requests a minute, all of which may come at once; 0: no limit. */
  take(key: string, perMinute: number): Taken;
};
export type Taken = { allowed: boolean; remaining: number; resetSeconds: number };

/** `level`: what is left at the time `at`. Less than nothing is left where several servers gave away the same. */
type Bucket = { perMinute: number; level: number; at: number };

const MAX_KEYS = 10_000;
/** What was taken here in this time is told to the other servers at once. */
const TELL_MS = 200;
const TOPIC = 'taken';

/**
 * The rate limits of this server. Servers that hear one another count together: each tells the others what it took, and they take it
 * too. Until they hear it, they may give away the same once more.
 */
export class RateLimits {
  readonly #limiters = new Map<string, Map<string, Bucket>>();
  readonly #untold = new Map<string, { name: string; key: string; perMinute: number; count: number }>();
  readonly #broadcast: Broadcast;
  readonly #now: () => number;
  #told = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(broadcast: Broadcast, now: () => number = () => performance.now()) {
    this.#broadcast = broadcast;
    this.#now = now;
    broadcast.listen(TOPIC, { hear: (text) => this.#hear(text) });
  }

  /** Limiters of one name, on all servers, count together. */
  limiter(name: string): RateLimiter {
    const buckets = this.#bucketsOf(name);
    return {
      take: (key, perMinute) => {
        if (perMinute === 0) return { allowed: true, remaining: 0, resetSeconds: 0 };
        const bucket = this.#fill(buckets, key, perMinute);
        const allowed = bucket.level >= 1;
        if (allowed) {
          bucket.level -= 1;
          this.#note(name, key, perMinute);
        }
        const missing = allowed ? perMinute - bucket.level : 1 - bucket.level;
        const resetSeconds = Math.max(1, Math.ceil((missing / perMinute) * 60));
        return { allowed, remaining: Math.max(0, Math.floor(bucket.level)), resetSeconds };
      },
    };
  }

  #bucketsOf(name: string): Map<string, Bucket> {
    const buckets = this.#limiters.get(name) ?? new Map<string, Bucket>();
    this.#limiters.set(name, buckets);
    return buckets;
  }

  /** The bucket of a key as it is now; a new one where there is none, or where the limit has changed. */
  #fill(buckets: Map<string, Bucket>, key: string, perMinute: number): Bucket {
    const at = this.#now();
    const known = buckets.get(key);
    if (known?.perMinute === perMinute) {
      known.level = levelOf(known, at);
      known.at = at;
      return known;
    }
    if (known === undefined && buckets.size >= MAX_KEYS) forgetFull(buckets, at);
    const bucket = { perMinute, level: perMinute, at };
    buckets.set(key, bucket);
    return bucket;
  }

  #note(name: string, key: string, perMinute: number): void {
    if (!this.#broadcast.hasOthers()) return;
    const id = `${name} ${key}`;
    const count = (this.#untold.get(id)?.count ?? 0) + 1;
    this.#untold.set(id, { name, key, perMinute, count });
    this.#timer ??= setTimeout(() => this.#tell(), TELL_MS).unref();
  }

  #tell(): void {
    this.#timer = null;
    for (const { name, key, perMinute, count } of this.#untold.values()) {
      // Equal texts would be sent as one, so each has a number.
      this.#told += 1;
      this.#broadcast.tell(`${TOPIC} ${JSON.stringify([name, key, perMinute, count, this.#told])}`);
    }
    this.#untold.clear();
  }

  #hear(text: string): void {
    const told: unknown = JSON.parse(text);
    if (!Array.isArray(told)) return;
    const [name, key, perMinute, count]: unknown[] = told;
    if (typeof name !== 'string' || typeof key !== 'string' || typeof perMinute !== 'number' || typeof count !== 'number') return;
    this.#fill(this.#bucketsOf(name), key, perMinute).level -= count;
  }
}

function levelOf({ perMinute, level, at }: Bucket, now: number): number {
  return Math.min(perMinute, level + ((now - at) * perMinute) / 60_000);
}

function forgetFull(buckets: Map<string, Bucket>, now: number): void {
  for (const [key, bucket] of buckets) if (levelOf(bucket, now) >= bucket.perMinute) buckets.delete(key);
  if (buckets.size >= MAX_KEYS) {
    const [oldest] = buckets.keys();
    if (oldest !== undefined) buckets.delete(oldest);
  }
}
