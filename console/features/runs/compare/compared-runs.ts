import type { LoggedEvent } from '../../../../contract/run-events.ts';
import type { Run } from '../../../../contract/runs.ts';
import { eventText } from '../log/event-text.ts';
import type { Effect } from '../queries.ts';

export type ComparedKind = 'calls' | 'effects' | 'results';
export type Compared = { run: Run; effects: readonly Effect[] };

/** How often two runs did the same, and what only one of them did, in its order. */
export type Difference = { kind: ComparedKind; same: number; onlyHere: readonly string[]; onlyThere: readonly string[] };
export type FirstDifference = { kind: ComparedKind; position: number; here: string | null; there: string | null };

export function compareRuns(here: Compared, there: Compared): { differences: readonly Difference[]; first: FirstDifference | null } {
  const a = whatItDid(here);
  const b = whatItDid(there);
  const kinds: readonly ComparedKind[] = ['calls', 'effects', 'results'];
  const differences = kinds.map((kind) => differenceOf(kind, a[kind], b[kind]));
  const first = kinds.map((kind) => firstOf(kind, a[kind], b[kind])).find((found) => found !== null) ?? null;
  return { differences, first };
}

function whatItDid({ run, effects }: Compared): Record<ComparedKind, readonly string[]> {
  const events: LoggedEvent[] = run.log === '' ? [] : run.log.split('\n').map((line) => JSON.parse(line));
  const texts = (kind: LoggedEvent['kind']): string[] => events.filter((event) => event.kind === kind).map(eventText);
  return { calls: texts('admin_api'), results: texts('result'), effects: effects.map(effectText) };
}

function effectText({ method, path, changes }: Effect): string {
  const fields = Object.entries(changes).map(([name, [before, after]]) => `${name} ${JSON.stringify(before)} → ${JSON.stringify(after)}`);
  return `${method} ${path}  ${fields.join(', ')}`.trim();
}

function differenceOf(kind: ComparedKind, here: readonly string[], there: readonly string[]): Difference {
  const left = new Map<string, number>();
  for (const text of there) left.set(text, (left.get(text) ?? 0) + 1);
  const onlyHere = here.filter((text) => {
    const count = left.get(text) ?? 0;
    if (count > 0) left.set(text, count - 1);
    return count === 0;
  });
  const onlyThere: string[] = [];
  // From the end, so that of several equal ones the later are those without a counterpart.
  for (const text of there.toReversed()) {
    const count = left.get(text) ?? 0;
    if (count === 0) continue;
    left.set(text, count - 1);
    onlyThere.push(text);
  }
  return { kind, same: here.length - onlyHere.length, onlyHere, onlyThere: onlyThere.reverse() };
}

function firstOf(kind: ComparedKind, here: readonly string[], there: readonly string[]): FirstDifference | null {
  const longer = Math.max(here.length, there.length);
  for (let at = 0; at < longer; at += 1) {
    if (here[at] !== there[at]) return { kind, position: at + 1, here: here[at] ?? null, there: there[at] ?? null };
  }
  return null;
}
