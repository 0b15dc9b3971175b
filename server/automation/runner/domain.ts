import { z } from 'zod';
import type { BodyOf, ResponseOf } from '../../../contract/endpoint.ts';
import type { Endpoints } from '../../../contract/index.ts';
import { type Claim, ShopFacts } from '../../../contract/runner.ts';
import type { At } from '../../db/open.ts';
import type { Services } from '../../services.ts';
import type { Ctx } from '../../verbs/context.ts';
import { refuseValue } from '../../verbs/problem.ts';
import type { Retention } from '../../verbs/retention.ts';
import { claimRuns } from './claims.ts';
import { compileMissing } from './compile.ts';
import * as store from './store.ts';

/** How often a waiting request looks for runs that were opened through another server that is not heard (spec RN1). */
const POLL_MS = 250;
const SEEN_WITHIN_MS = 120_000;

type ClaimCall = { services: Services; body: BodyOf<Endpoints['runner.claim']>; until: AbortSignal };

/** Answers at once if a run is open, else when one opens or after `wait_ms`; `claims` is then empty. */
export async function claimWhenOpen({ services, body, until: gone }: ClaimCall): Promise<{ claims: Claim[] }> {
  const { store: data, work, broadcast, config, metrics, settings } = services;
  const { runner, slots, wait_ms } = body;
  for (const name of ['name', 'version'] as const) {
    if (runner[name].includes('\u0000')) throw refuseValue('invalid_value', `/runner/${name}`, 'must not contain U+0000');
  }
  const until = performance.now() + wait_ms;
  const told = JSON.stringify([runner, runner.total_slots ?? slots]);
  for (let looks = 0; !gone.aborted; looks += 1) {
    const since = work.count;
    const claimed = await work.inTurn(async () => {
      if (gone.aborted) return [];
      const note = work.isToNote(runner.name, told);
      if (!(note || (await work.hasOpenRun(() => store.hasOpenRun(data.reader), looks > 0)))) return [];
      const shop = await settings.get(data.reader);
      return claimRuns(data, {
        ...{ runner, slots, limitsMax: shop.limits_max, shop: ShopFacts.parse(shop), note },
        ...{ confirmSeconds: config.claimConfirmSeconds, leaseSeconds: config.leaseSeconds },
      });
    });
    const claims = await compileMissing(services, claimed);
    metrics.claims.inc(claims.length);
    if (claims.length > 0) return { claims };
    const left = until - performance.now();
    if (left <= 0) break;
    await work.wait(Math.min(broadcast.pollMs(POLL_MS), left), gone, since);
  }
  return { claims: [] };
}

/** A runner without a name of its own is called after its process, so each start may leave one behind. */
export const retention: Retention = { days: () => 7, deleteBatch: store.deleteGone };

const Layers = z.array(z.string());

export async function runnerStatus(ctx: Ctx): Promise<ResponseOf<Endpoints['runner.status']>> {
  const runners = await store.selectRunners(ctx, SEEN_WITHIN_MS);
  const queue = await store.selectQueue(ctx.db);
  return {
    runners: runners.map(({ last_seen, isolation, ...runner }) => ({
      ...runner,
      isolation: Layers.parse(JSON.parse(isolation)),
      last_seen_at: new Date(last_seen).toISOString(),
    })),
    queue_depth: queue.depth,
    oldest_queued_seconds: secondsSince(queue.oldest, Date.parse(ctx.now)),
  };
}

/** What `/metrics` tells of the queue and the runners. `nowMs` is the time by this server's clock. */
export async function measureQueue({ db, dialect }: At, nowMs: number): Promise<QueueMeasures> {
  const queue = await store.selectQueue(db);
  const { runners, slots } = await store.countRunners({ db, dialect }, SEEN_WITHIN_MS);
  return {
    queueDepth: queue.depth,
    queueOldestSeconds: secondsSince(queue.oldest, nowMs) ?? 0,
    openClaims: await store.countOpenClaims(db),
    runners,
    runnerSlots: slots,
  };
}

export type QueueMeasures = Record<'queueDepth' | 'queueOldestSeconds' | 'openClaims' | 'runners' | 'runnerSlots', number>;

function secondsSince(at: string | null, nowMs: number): number | null {
  return at === null ? null : Math.max(0, Math.floor((nowMs - Date.parse(at)) / 1000));
}
