import { readsOf, type Store } from '../../../db/open.ts';
import { readSettings } from '../../../resources/settings/domain.ts';
import type { Services } from '../../../services.ts';
import { requireTask } from '../../tasks/domain.ts';
import * as claims from '../rows/claim-store.ts';
import * as store from '../rows/store.ts';
import { endRun, FINISHED } from './end.ts';
import { offerAgain } from './offer.ts';
import { extendSigns } from './stuck-store.ts';
import { interruptWaiting } from './waiting.ts';

const AT_A_TIME = 100;

/**
 * Ends the claims whose lease has lapsed by the database's clock, each with one conditional UPDATE, so that any number of
 * servers may do it. A run whose claim was never confirmed is offered again; any other run has lost its runner (spec RU4). Returns how many claims it ended.
 */
export async function recoverLapsed(services: Services): Promise<number> {
  let ended = 0;
  for (const id of await claims.selectLapsed(readsOf(services.store), AT_A_TIME)) if (await recoverOne(services, id)) ended += 1;
  return ended;
}

async function recoverOne(services: Services, claimId: number): Promise<boolean> {
  return services.transact(FINISHED, async (ctx) => {
    const { db } = ctx;
    const claim = await claims.endLapsed({ db, dialect: ctx.dialect }, claimId, ctx.now);
    if (!claim) return false;
    const run = await store.lockRun(db, claim.run_id);
    if (run?.status !== 'running' || run.claim_id !== claim.id) return true;
    if (claim.confirmed === 0) {
      await offerAgain(ctx, run, run.attempt);
      return true;
    }
    const task = await requireTask(db, run.task_id);
    await endRun(ctx, task, run, {
      status: 'interrupted',
      errorMessage: `the runner ${run.claimed_by} was lost`,
      endReason: 'lost_runner',
      result: null,
    });
    return true;
  });
}

/** A client that drives a run shows that it is alive with each PATCH, even one without events. */
const MINUTE_MS = 60_000;
const CLIENT_GRACE_MS = 5 * MINUTE_MS;

/** Interrupts runs whose client has sent no request for `external_timeout_minutes` of the shop; any number of servers may do it. */
export async function interruptAbandoned(services: Services): Promise<void> {
  const { external_timeout_minutes: minutes } = await services.settings.get(services.store.reader);
  const goneMs = minutes * MINUTE_MS;
  for (const id of await store.selectAbandoned(readsOf(services.store), goneMs, AT_A_TIME)) {
    await interruptWaiting(services, id, (ctx) => store.isAbandoned(ctx, id, goneMs), {
      endReason: 'lost_runner',
      errorMessage: `the client that drives the run sent no request for ${minutes === 1 ? 'a minute' : `${minutes} minutes`}`,
    });
  }
}

/**
 * Called when a server starts: gives every lease at least one full period from now, and every client and every run that must give signs
 * of progress at least five minutes (or its whole time, where that is shorter), because nobody could reach the server while it was down.
 */
export async function grantGrace(data: Store, leaseMs: number): Promise<void> {
  await data.write(async (db) => {
    const { external_timeout_minutes: minutes } = await readSettings(db);
    await store.extendClients({ db, dialect: data.dialect }, Math.max(0, minutes * MINUTE_MS - CLIENT_GRACE_MS));
    await extendSigns({ db, dialect: data.dialect }, CLIENT_GRACE_MS);
    await claims.extendLeases({ db, dialect: data.dialect }, leaseMs);
  });
}
