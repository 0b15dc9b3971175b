import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { CHART, chartCases, chartDigest } from './chart-digest.ts';

/** `npm run render:chart`: checks the Helm chart with Helm, and writes what it makes of each case of the tests. `HELM` names the program. */

const helm = process.env['HELM'] || 'helm';

for (const one of chartCases()) {
  run(['lint', CHART, '--quiet', '--values', one.values]);
  const text = run(['template', 'shop', CHART, '--namespace', 'shop', '--values', one.values]);
  writeFileSync(one.rendered, `# Made by npm run render:chart of ${chartDigest(one)}\n${text}`);
}

function run(args: readonly string[]): string {
  const { error, status, stdout, stderr } = spawnSync(helm, args, { encoding: 'utf8' });
  if (error) fail(`"${helm}" cannot be started: ${error.message}. Install Helm, or name it in the variable HELM.`);
  if (status !== 0) fail(`${helm} ${args.join(' ')} failed:\n${stderr}${stdout}`);
  return stdout;
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
