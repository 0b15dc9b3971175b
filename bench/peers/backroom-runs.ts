import { type Backroom, withBackroom } from '../backroom.ts';
import { burst } from '../burst.ts';
import { hold } from './hold.ts';
import { type Kind, kinds, oneByOne, type RunPeer } from './run-peer.ts';

const SOURCES: Record<Kind, string> = { trivial: 'export default () => 1;', line: `log('first line');` };

/** Backroom's server and runner with two slots; `storeUrl`: on this PostgreSQL instead of SQLite. */
export async function startBackroomRuns(storeUrl?: string): Promise<RunPeer> {
  const { value: backroom, close } = await hold<Backroom>((work) => withBackroom(work, { ...(storeUrl !== undefined && { storeUrl }) }));
  const tasks = new Map<Kind, number>();
  for (const kind of kinds) tasks.set(kind, await backroom.createTask(SOURCES[kind]));
  const taskOf = (kind: Kind): number => tasks.get(kind) ?? 0;
  return {
    burst: (kind, count) => burst(backroom, taskOf(kind), count),
    singles: (kind, count) => oneByOne(count, () => single(backroom, taskOf(kind))),
    stop: close,
  };
}

async function single(backroom: Backroom, task: number): Promise<number> {
  const { id, askedAtMs } = await backroom.openRun(task);
  const { status, finishedAtMs } = await backroom.ended(id);
  if (status !== 'success') throw new Error(`run ${id} ended ${status}`);
  return finishedAtMs - askedAtMs;
}
