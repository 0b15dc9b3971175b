import type { UndoRow } from '../../../../contract/undo.ts';
import { parted } from './judging.ts';
import { leftBy, type Own, recordsOf, runsOf } from './records.ts';
import { keyed, type Setting } from './setting.ts';
import type { Program } from './steps.ts';

const OTHER = 'Another name';
/** What cannot come back: runs that were started and signals, each of which has its own undo or is over. */
const IRREVERSIBLE = /^task_runs\.|^ai_tasks\.signal/;

/** Takes all runs of a program back, the newest first; returns in what the store differs from before. */
export async function takeBack(setting: Setting, own: Own, { program, before }: { program: Program; before: string[] }): Promise<string[]> {
  const { api, store, taskId } = setting;
  const faults: string[] = [];
  const conflicting = program.conflict !== 'none' && (await leftBy(store, own)).name !== 'At first';
  if (conflicting) await api.customers.update(own.customer, { name: OTHER }, keyed(`${own.mark} other`));
  const lineages = new Set<string>();
  for (const run of await runsOf(store, own.mark)) {
    if (lineages.has(run.lineage_id)) continue;
    lineages.add(run.lineage_id);
    const effects = await effectsOn(setting, run, own);
    if (effects.length === 0) continue;
    // What one run of a batch did for other programs is not taken back.
    const body = run.task_id === taskId ? { lineage: true } : { effects };
    const key = `${own.mark} undo ${run.id}`;
    const plan = await api.ai_tasks.undo_run(run.task_id, run.id, body, keyed(key));
    const rows = await api.ai_tasks.list_undo(run.task_id, plan.run_id, { limit: 1000 });
    faults.push(...rows.flatMap((row) => faultOf(row, conflicting) ?? []));
    const chosen = rows.filter(
      ({ state, choosable }) => state === 'ready' || (program.conflict === 'chosen' && state === 'conflict' && choosable),
    );
    if (chosen.length === 0) continue;
    const picked = { rows: chosen.map(({ position }) => position) };
    const between = await recordsOf(store, own);
    const undone = await api.ai_tasks.apply_run(run.task_id, plan.run_id, picked, keyed(`${key} applied`));
    if (program.twice) faults.push(...(await thereAndBack(setting, own, { taskId: run.task_id, undoId: undone.run_id, between, key })));
  }
  if (conflicting && program.conflict === 'left') await api.customers.update(own.customer, { name: 'At first' }, keyed(`${own.mark} back`));
  return [...faults, ...parted('after the undo', await recordsOf(store, own), before)];
}

/** The effects of a run on the program's own records, by their numbers. */
async function effectsOn({ api, taskId }: Setting, run: { id: number; task_id: number }, { customer }: Own): Promise<number[]> {
  const effects = await api.ai_tasks.list_effects(run.task_id, run.id, { limit: 1000 });
  const meant = run.task_id === taskId ? effects : effects.filter(({ path }) => path.startsWith(`/customers/${customer}/`));
  return meant.map(({ call }) => call);
}

function faultOf({ endpoint, state, reason, conflicts, path }: UndoRow, conflicting: boolean): string | null {
  const said = `the undo of ${endpoint} ${path}: ${state}, ${reason}, ${JSON.stringify(conflicts)}`;
  if (state === 'ready') return IRREVERSIBLE.test(endpoint) ? said : null;
  if (state === 'irreversible') return IRREVERSIBLE.test(endpoint) && reason !== null ? null : said;
  if (state === 'conflict')
    return conflicting && endpoint === 'customers.update' && conflicts.every(({ now }) => now === OTHER) ? null : said;
  return said;
}

type Undone = { taskId: number; undoId: number; between: string[]; key: string };

/** Takes an undo back, which must lead where the run had led, and takes that back in turn. */
async function thereAndBack({ api, store }: Setting, own: Own, { taskId, undoId, between, key }: Undone): Promise<string[]> {
  const undone = await recordsOf(store, own);
  const take = async (runId: number, name: string): Promise<number> => {
    const plan = await api.ai_tasks.undo_run(taskId, runId, {}, keyed(name));
    return (await api.ai_tasks.apply_run(taskId, plan.run_id, {}, keyed(`${name} applied`))).run_id;
  };
  const again = await take(undoId, `${key} again`);
  const faults = parted('after the undo of the undo', await recordsOf(store, own), between);
  await take(again, `${key} and back`);
  return [...faults, ...parted('after that was undone', await recordsOf(store, own), undone)];
}
