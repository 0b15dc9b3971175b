import { TaskSource } from '../../contract/tasks.ts';
import { type Held, readThread, type WorkItem } from '../automation/assistant/work.ts';
import { acceptEvidence } from '../automation/tasks/evidence.ts';
import type { Actor } from '../verbs/context.ts';
import { Refusal } from '../verbs/problem.ts';
import { addressesOf } from './addresses.ts';

/** What a turn ends with: the newest dry run of exactly the draft as it is now; null: there is none. */
export async function evidenceOf(held: Held, actor: Actor) {
  const thread = await readThread(held);
  const { items, draft } = thread;
  const addresses = addressesOf(thread);
  // What ran had stand-ins.
  const source = TaskSource.safeParse(draft && addresses.hidden(draft));
  const run = items.findLast((item) => item.kind === 'tool' && item.tool === 'dry_run' && item.run !== null);
  if (!source.success || run?.kind !== 'tool' || run.run === null) return null;
  // It was told of before.
  if (items.some((item) => item.kind === 'evidence' && item.dry_run.run_id === run.run?.run_id)) return null;
  const { store } = held.services;
  try {
    const [found] = await store.snapshot((db) => acceptEvidence({ db, actor }, source.data, [run.run?.run_id ?? 0]));
    if (!found) return null;
    const { changes_by_kind, permissions_used } = found;
    const has_stand_ins = draft !== null && addresses.isIn(draft);
    const made = { type_checks: typeChecks(items), dry_run: run.run, has_stand_ins, changes_by_kind, permissions_used };
    return { kind: 'evidence' as const, ...made };
  } catch (error) {
    // The dry run was of another draft.
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** What the last check of the draft as it is now found; null: there was none. */
function typeChecks(items: readonly WorkItem[]): boolean | null {
  const changed = items.findLastIndex(({ kind }) => kind === 'draft');
  const check = items.slice(changed + 1).findLast((item) => item.kind === 'tool' && item.tool === 'check');
  return check?.made.ok ?? null;
}
