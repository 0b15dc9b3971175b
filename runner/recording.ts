import { RecordedAnswers, replaysEndpoints } from '../contract/replays.ts';
import { sha256 } from './call-key.ts';
import type { Reports } from './claim-clients.ts';

/** What a call was answered at: where the script's clock then stood; null: it did not move. `again`: a checkpoint that ended no epoch. */
export type RecordedTurn = { position: number; nowMs: number | null; again: boolean };

/** `part`: of which file, by the script's own number, and where in it. */
export type NamedCall = { operation: string; said: string; part?: { file: number; offset: number } };

/**
 * Names the calls of one claim as they come: the epoch, what is called, and how often it was before. A file that is sent
 * again keeps the names of its parts, those of the epoch that it was begun in: a replay, which loses no answer, sends it once.
 */
export function createCallNames(): (epoch: number, call: NamedCall) => string {
  const seen = new Map<string, number>();
  const files = new Map<number, { epoch: number; names: Map<number, string> }>();

  function next(epoch: number, { operation, said }: NamedCall): string {
    const name = `${epoch}/${operation}/${sha256(said).slice(0, 32)}`;
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return `${name}/${count}`;
  }

  return (epoch, call) => {
    if (call.part === undefined) return next(epoch, call);
    const { file: number, offset } = call.part;
    const file = files.get(number) ?? { epoch, names: new Map<number, string>() };
    files.set(number, file);
    const name = file.names.get(offset) ?? next(file.epoch, call);
    file.names.set(offset, name);
    return name;
  };
}

/** Asks for the turns of a recorded run's calls, by name; false where the claim has ended. */
export async function loadTurns(reports: Reports, alive: () => boolean, turns: Map<string, RecordedTurn>): Promise<boolean> {
  for (let after = 0; ; ) {
    const reply = await reports.untilAnswered({ to: reports.place(replaysEndpoints['runner.list_answers'], { query: { after } }) }, alive);
    if (reply?.status !== 200) return false;
    const { answers } = RecordedAnswers.parse(JSON.parse(reply.text));
    for (const { position, call, now_ms, again } of answers) turns.set(call, { position, nowMs: now_ms, again });
    const last = answers.at(-1);
    if (!last) return true;
    after = last.position;
  }
}
