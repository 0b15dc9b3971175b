import type { Verdict } from './evals.ts';

/** A line for each case, its faults below it, and a summary. */
export function tableOf(title: string, verdicts: readonly Verdict[]): string {
  const width = Math.max(...verdicts.map(({ name }) => name.length));
  const head = `  ${'case'.padEnd(width)}  ${'topic'.padEnd(9)}  calls   tokens  seconds`;
  const lines = verdicts.flatMap(({ name, topic, faults, calls, tokens, seconds }) => [
    [
      `${faults.length === 0 ? '✔' : '✖'} ${name.padEnd(width)}`,
      topic.padEnd(9),
      String(calls).padStart(5),
      String(tokens).padStart(7),
      seconds.toFixed(1).padStart(7),
    ].join('  '),
    ...faults.map((fault) => `    ${fault}`),
  ]);
  const passed = verdicts.filter(({ faults }) => faults.length === 0).length;
  const sum = (name: 'calls' | 'tokens'): number => verdicts.reduce((total, verdict) => total + verdict[name], 0);
  const summary = `${passed} of ${verdicts.length} passed, ${sum('calls')} calls of tools, ${sum('tokens')} tokens`;
  return [`\n${title}`, head, ...lines, summary].join('\n');
}
