import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The Helm chart, the values that tests render it with, and what came of them. */
export const CHART = fileURLToPath(new URL('../deploy/helm/backroom', import.meta.url));
const CASES = fileURLToPath(new URL('../test/deploy/charts', import.meta.url));

export type ChartCase = { name: string; values: string; rendered: string };

/** Each file `<name>.values.yaml` is a case; what Helm makes of it is kept beside it, because not everyone has Helm. */
export function chartCases(): ChartCase[] {
  const names = readdirSync(CASES).flatMap((file) => /^(.+)\.values\.yaml$/.exec(file)?.[1] ?? []);
  return names.map((name) => ({ name, values: join(CASES, `${name}.values.yaml`), rendered: join(CASES, `${name}.rendered.yaml`) }));
}

/** What the first line of a rendered file says, as hex: the digest of the chart and the values that it was made of. */
export function chartDigest({ values }: ChartCase): string {
  const files = readdirSync(CHART, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== 'README.md',
  );
  const hash = createHash('sha256');
  for (const path of [...files.map(({ parentPath, name }) => join(parentPath, name)).sort(), values]) {
    hash.update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}
