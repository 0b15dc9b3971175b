import { RecordedAnswers, replaysEndpoints } from '../contract/replays.ts';
import { sha256 } from './call-key.ts';
import type { Reports } from './claim-clients.ts';

/**
 * The recording's entry for one call. `position`: the place of its answer among all answers of the script. `nowMs`: the
 * script's clock after that answer; null: the answer did not move it. `again`: the call was a checkpoint that ended no epoch.
 */
export type RecordedAnswer = { position: number; nowMs: number | null; again: boolean };

/** A call as the recording identifies it. `part`: the file that a block belongs to (the guest's number of it) and the block's offset. */
export type NamedCall = { operation: string; said: string; part?: { file: number; offset: number } };

/**
 * Gives each call of one claim its name in the recording: epoch, operation, hash of the arguments, occurrence. The blocks of a
 * file that is sent again keep their first names (with the epoch in which the file was begun), because a replay loses no answer
 * and sends each file only once.
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

/** Loads the entries of a recording into `recorded`, by the names of the calls; false when the claim has ended. */
export async function loadRecordedAnswers(reports: Reports, alive: () => boolean, recorded: Map<string, RecordedAnswer>): Promise<boolean> {
  for (let after = 0; ; ) {
    const reply = await reports.untilAnswered({ to: reports.target(replaysEndpoints['runner.list_answers'], { query: { after } }) }, alive);
    if (reply?.status !== 200) return false;
    const { answers } = RecordedAnswers.parse(JSON.parse(reply.text));
    for (const { position, call, now_ms, again } of answers) recorded.set(call, { position, nowMs: now_ms, again });
    const last = answers.at(-1);
    if (!last) return true;
    after = last.position;
  }
}
