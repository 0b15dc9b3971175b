import { RecordedAnswers, runnerListAnswers } from '../contract/replays.ts';
import { sha256 } from './call-key.ts';
import type { ServerClient } from './server-client.ts';

/** What a call was answered at: where the script's clock then stood; null: it did not move. */
export type RecordedTurn = { position: number; nowMs: number | null };

/** Names the calls of one claim as they come: the epoch, what is called, and how often it was before. */
export function createCallNames(): (epoch: number, operation: string, payload: string) => string {
  const seen = new Map<string, number>();
  return (epoch, operation, payload) => {
    const name = `${epoch}/${operation}/${sha256(payload).slice(0, 32)}`;
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return `${name}/${count}`;
  };
}

/** Asks for the turns of a recorded run's calls, by name; false where the claim has ended. */
export async function loadTurns(
  client: ServerClient,
  { runId, token, alive }: { runId: number; token: string; alive: () => boolean },
  turns: Map<string, RecordedTurn>,
): Promise<boolean> {
  const path = runnerListAnswers.path.replace('{run_id}', String(runId));
  for (let after = 0; ; ) {
    const reply = await client.requestUntilAnswered({ method: 'GET', path: `${path}?after=${after}`, token }, alive);
    if (reply?.status !== 200) return false;
    const { answers } = RecordedAnswers.parse(JSON.parse(reply.text));
    for (const { position, call, now_ms } of answers) turns.set(call, { position, nowMs: now_ms });
    const last = answers.at(-1);
    if (!last) return true;
    after = last.position;
  }
}
