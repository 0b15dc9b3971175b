import { SEARCHED_LOG_BYTES, SEARCHED_RUNS } from '../../../../contract/runs.ts';
import type { Ctx } from '../../../verbs/context.ts';
import { missingReads } from '../rows/output-permissions.ts';
import type { Candidate } from '../views/list-store.ts';
import { selectSaying } from './search-store.ts';

/** `last`: the last run whose log was searched; `isComplete`: there was none after it. */
export type Searched = { found: Candidate[]; last: Candidate | undefined; isComplete: boolean };

/**
 * Of these runs, the ones whose log the caller may see and in which a message, or whose description, contains the text. There is no index of the logs, since it
 * would slow down each line that a run writes; so only the first runs are searched, as many as the bounds allow but at least one.
 * `candidates`: in their order, one more than SEARCHED_RUNS if there are more.
 */
export async function searchLogs(ctx: Ctx, text: string, candidates: readonly Candidate[]): Promise<Searched> {
  const searched = withinBounds(candidates);
  const withLog = searched.filter(({ log_bytes }) => log_bytes > 0).map(({ id }) => id);
  const saying = await selectSaying(ctx, withLog, text);
  const missing = await missingReads(ctx.db, ctx.actor, [...saying]);
  const found = searched.filter(({ id }) => saying.has(id) && (missing.get(id) ?? []).length === 0);
  return { found, last: searched.at(-1), isComplete: searched.length === candidates.length };
}

function withinBounds(candidates: readonly Candidate[]): Candidate[] {
  let bytes = 0;
  const first = candidates.slice(0, SEARCHED_RUNS);
  const end = first.findIndex(({ log_bytes }, n) => {
    bytes += log_bytes;
    return n > 0 && bytes > SEARCHED_LOG_BYTES;
  });
  return end === -1 ? first : first.slice(0, end);
}
