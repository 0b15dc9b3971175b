import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Backroom, withBackroom } from './backroom.ts';
import { NOTES_VARIABLE } from './probe.ts';
import type { Ran, Requested } from './statement-probe.ts';

const PROBE = fileURLToPath(new URL('./statement-probe.ts', import.meta.url));
const TIMES = 20;
/** So long after its answer, the last request is in the file. */
const WRITTEN_MS = 200;

/** Sends requests to a server of its own, and returns the statements of each, by the path and method of the request. */
export async function recordStatements(requests: (backroom: Backroom) => Promise<void>): Promise<Map<string, Ran[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'backroom-statements-'));
  const file = join(folder, 'statements.jsonl');
  try {
    await withBackroom(
      async (backroom) => {
        for (let i = 0; i < TIMES; i++) await requests(backroom);
        await delay(WRITTEN_MS);
      },
      { env: { [NOTES_VARIABLE]: file, NODE_OPTIONS: `--import=${PROBE}` } },
    );
    return shortestOf(
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line): Requested => JSON.parse(line)),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Of requests that were alike, the one during which no loop of the server ran statements of its own. */
function shortestOf(all: readonly Requested[]): Map<string, Ran[]> {
  const shortest = new Map<string, Ran[]>();
  for (const { what, statements } of all) {
    if (statements.length < (shortest.get(what)?.length ?? Number.POSITIVE_INFINITY)) shortest.set(what, statements);
  }
  return shortest;
}
