import { parseArgs } from 'node:util';
import { carryOut } from './release/carry-out.ts';
import { steps } from './release/steps.ts';

/**
 * `npm run release -- --dry-run`: checks, builds and describes a release, and publishes nothing. Without `--dry-run` it publishes, and sets the
 * tag. `--only=pack,sbom` takes some steps alone, which is never a release. docs/releases.md tells of it.
 */

const { values } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    only: { type: 'string' },
    registry: { type: 'string' },
    'no-provenance': { type: 'boolean', default: false },
  },
});
const only = values.only?.split(',') ?? null;
const unknown = only?.filter((name) => !steps.some((step) => step.name === name)) ?? [];
if (unknown.length > 0 || (only !== null && !values['dry-run'])) {
  const why =
    unknown.length > 0 ? `"${unknown.join(', ')}" is no step` : '--only goes with --dry-run alone, because a release takes every step';
  process.stderr.write(`${why}; the steps are ${steps.map(({ name }) => name).join(', ')}\n`);
  process.exit(2);
}
const chosen = steps.filter(({ name }) => only?.includes(name) ?? true);
const options = { dryRun: values['dry-run'], registry: values.registry ?? null, provenance: !values['no-provenance'] };
process.exitCode = await carryOut(
  chosen,
  { ...options, startedOn: new Date(), command: ['npm run release --', ...process.argv.slice(2)].join(' ') },
  (line) => process.stdout.write(`${line}\n`),
);
if (only !== null) process.stdout.write(`\nOnly ${chosen.length} of ${steps.length} steps: this was no rehearsal of a release.\n`);
