import { spawnSync } from 'node:child_process';
import { argv } from 'node:process';
import { applyRelease, writeChangeset } from './release/changesets.ts';

/** `npm run changeset`: asks what a change brings, and writes it into `.changeset/`; `-- version` makes the next version of all that is there. */

const [word] = argv.slice(2);
if (word === 'version') {
  const { version } = await applyRelease();
  // The lock file has the version, too.
  const { status } = spawnSync('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: 'inherit',
  });
  if (status !== 0) {
    process.stderr.write(
      `package.json has ${version}, and package-lock.json could not be brought up to it; why is above. Run npm install --package-lock-only.\n`,
    );
    process.exit(1);
  }
  process.stdout.write(`The version is ${version}. Next: npm run render:chart, npm run release:fixture, then commit (docs/releases.md).\n`);
} else {
  process.exitCode = await writeChangeset(argv.slice(2));
}
