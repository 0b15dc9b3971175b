import type { Run } from '../../../../contract/runs.ts';
import { detailsOf, leftBy, type Own, runsOf } from './records.ts';
import type { Setting } from './setting.ts';
import type { Expected } from './steps.ts';

/** `runs`: the run, and the one that restarted it, each with what it was to leave. */
export type Done = { runs: readonly Run[]; expected: readonly Expected[] };

/** What a program has lost, doubled or confused. */
export async function faultsOf({ api, store, taskId }: Setting, own: Own, { runs, expected }: Done): Promise<string[]> {
  const bad = (await runsOf(store, own.mark)).filter(({ status }) => status !== 'success');
  if (bad.length > 0) return bad.map(({ id, status, end_reason, error }) => `run ${id}: ${status}, ${end_reason}: ${error}`);
  const left = await leftBy(store, own);
  const all = <T>(what: (one: Expected) => readonly T[]): T[] => expected.flatMap(what);
  const lasts = all(({ lasts }) => lasts);
  const notLast = new Set(lasts.flatMap((list) => list.slice(0, -1)));
  const once = [...all(({ notes }) => notes), ...lasts.map((list) => list.at(-1) ?? '')];
  const faults = [
    ...parted(
      'notes',
      left.notes.filter((body) => !notLast.has(body)),
      once,
    ),
    ...[...notLast].filter((body) => left.notes.filter((one) => one === body).length > 1).map((body) => `the note ${body} is there twice`),
    ...parted(
      'credits',
      left.credits.filter((note) => note.startsWith(own.mark)),
      all(({ credits }) => credits),
    ),
    ...parted(
      'movements',
      left.stock.filter((reason) => reason.startsWith(own.mark)),
      all(({ stock }) => stock),
    ),
  ];
  const name = expected.findLast((one) => one.name !== null)?.name ?? 'At first';
  if (left.name !== name) faults.push(`the customer is called ${left.name} instead of ${name}`);
  faults.push(
    ...parted(
      'customers',
      left.customers,
      all(({ made }) => made),
    ),
  );
  const counted = expected.flatMap(({ count }, n) => (count === 0 ? [] : [`${own.mark}${n === 0 ? '' : 'r'} ${count}`]));
  faults.push(...parted('values', left.state, counted));
  const seen: number[] = [];
  for (const [n, { id, result, description }] of runs.entries()) {
    const wanted = expected[n];
    if (!wanted) continue;
    const { came = null, events = [] } = (result ?? {}) as { came?: unknown; events?: number[] };
    seen.push(...events);
    if (JSON.stringify(came) !== JSON.stringify(wanted.came))
      faults.push(`run ${id} has got ${JSON.stringify(came)} instead of ${JSON.stringify(wanted.came)}`);
    if (wanted.told !== null && description !== wanted.told)
      faults.push(`run ${id} is described as ${description} instead of ${wanted.told}`);
    const details = await detailsOf(store, id);
    if (wanted.told !== null && details !== `# ${wanted.told}`) faults.push(`run ${id} has the details ${details}`);
    const files = (await api.ai_tasks.list_artifacts(taskId, id)).map((file) => file.name);
    faults.push(...parted(`files of run ${id}`, files, wanted.files));
  }
  // A run that was restarted has what it had got before the checkpoint, too.
  const told = new Set(seen);
  const orders = expected.reduce((sum, one) => sum + one.orders, 0);
  faults.push(...parted('events of the order', [...told].map(String), left.events.map(String)));
  if (left.events.length !== orders) faults.push(`${left.events.length} events of the order instead of ${orders}`);
  return faults;
}

/** How two lists differ, whatever their order. */
export function parted(what: string, is: readonly string[], wanted: readonly string[]): string[] {
  const left = [...wanted];
  const more = is.filter((one) => {
    const place = left.indexOf(one);
    if (place !== -1) left.splice(place, 1);
    return place === -1;
  });
  return [...left.map((one) => `${what}: ${one} is missing`), ...more.map((one) => `${what}: ${one} is too much`)];
}
