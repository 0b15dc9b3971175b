import { execFileSync } from 'node:child_process';

/** One row of the table of results. */
export type Row = {
  name: string;
  /** The measured value, in `unit`. */
  figure: number;
  unit: string;
  /** The value to compare with, usually the same work without Backroom, in the same unit. */
  baseline: number | null;
  /** The figure divided by the baseline. */
  ratio: number | null;
  /** The bounds as text, such as `≤ 20 ms`; empty where there is none. */
  target: string;
  ok: boolean | null;
};

export type Bound = { most: number } | { least: number };
export type Measured = {
  name: string;
  figure: number;
  unit: string;
  baseline?: number;
  figureBound?: Bound;
  /** `unless`: a figure up to this is accepted whatever the ratio, because a tiny baseline makes the ratio meaningless. */
  ratioBound?: Bound & { unless?: number };
};

/** Makes a row of the table and checks its figure and its ratio to the baseline against the bounds. */
export function row({ name, figure, unit, baseline, figureBound, ratioBound }: Measured): Row {
  const ratio = baseline === undefined ? null : figure / baseline;
  const checks: boolean[] = [];
  const targets: string[] = [];
  if (figureBound) {
    checks.push(isWithin(figure, figureBound));
    targets.push(`${textOf(figureBound)} ${unit}`);
  }
  if (ratioBound && ratio !== null) {
    const { unless } = ratioBound;
    checks.push(isWithin(ratio, ratioBound) || (unless !== undefined && figure <= unless));
    targets.push(`ratio ${textOf(ratioBound)}${unless === undefined ? '' : ` or ≤ ${unless} ${unit}`}`);
  }
  return {
    name,
    figure,
    unit,
    baseline: baseline ?? null,
    ratio,
    target: targets.join(', '),
    ok: checks.length === 0 ? null : checks.every(Boolean),
  };
}

/** Of several runs of the same sections, for each row the one whose ratio, or figure where it has no baseline, is in the middle. */
export function middleOf(runs: readonly (readonly Row[])[]): Row[] {
  const byName = Map.groupBy(runs.flat(), ({ name }) => name);
  const compared = ({ ratio, figure }: Row): number => ratio ?? figure;
  return [...byName.values()].flatMap((same) => same.toSorted((a, b) => compared(a) - compared(b))[Math.floor(same.length / 2)] ?? []);
}

function isWithin(value: number, bound: Bound): boolean {
  return 'most' in bound ? value <= bound.most : value >= bound.least;
}

function textOf(bound: Bound): string {
  return 'most' in bound ? `≤ ${bound.most}` : `≥ ${bound.least}`;
}

/** Which commit was measured, to stand above a table. */
export function commitLine(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ', with changes';
    return `commit ${git('log', '-1', '--format=%h of %cs')}${changed}`;
  } catch {
    return 'no commit is known: this is no clone';
  }
}

export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ name, figure, unit, baseline, ratio, target, ok }) => [
    name,
    `${rounded(figure)} ${unit}`,
    baseline === null ? '' : `${rounded(baseline)} ${unit}`,
    ratio === null ? '' : ratio.toFixed(2),
    target,
    ok === null ? '' : ok ? 'ok' : 'MISSED',
  ]);
  const all = [['name', 'figure', 'baseline', 'ratio', 'target', 'ok'], ...cells];
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...all.map((line) => line[column]?.length ?? 0)));
  const isNumber = (column: number): boolean => column >= 1 && column <= 3;
  const lines = all.map((line) =>
    line
      .map((cell, column) => (isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const [head = '', ...body] = lines;
  return [head, '-'.repeat(Math.max(...lines.map((line) => line.length))), ...body].join('\n');
}

function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** The value below which the share `q` of the values lies. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
