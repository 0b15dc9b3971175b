import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesBelow, installPackage } from '../test/package/installed.ts';
import { SETS } from './peers/install.ts';
import { type Row, row } from './report.ts';

/**
 * The package in an empty folder, beside Vendure's core installed the same way: what is downloaded and written, how long `npm install` takes from a
 * warm cache, and from the command until the server is ready and the demo shows its link.
 */
export async function measureInstall(): Promise<Row[]> {
  const shop = installPackage();
  const vendure = mkdtempSync(join(tmpdir(), 'backroom-vendure-'));
  try {
    shop.run('npm init --yes', { cwd: vendure });
    const names = Object.entries(SETS.vendure.packages).map(([name, version]) => `${name}@${version}`);
    const install = `npm install --ignore-scripts --no-audit --no-fund --loglevel=error ${names.join(' ')}`;
    shop.run(install, { cwd: vendure, fetches: true });
    rmSync(join(vendure, 'node_modules'), { recursive: true });
    const began = performance.now();
    shop.run(install, { cwd: vendure, fetches: true });
    const seconds = (performance.now() - began) / 1000;
    return [
      row({ name: 'install: the package as it is downloaded', figure: shop.tarballBytes / 1e6, unit: 'MB' }),
      row({
        ...{ name: 'install: installed, beside Vendure’s core', figure: shop.installedBytes / 1e6, unit: 'MB' },
        ...{ baseline: bytesBelow(join(vendure, 'node_modules')) / 1e6, figureBound: { most: 120 } },
      }),
      row({
        ...{ name: 'install: npm install from a warm cache, beside Vendure’s core', figure: shop.installSeconds, unit: 's' },
        ...{ baseline: seconds, figureBound: { most: 15 } },
      }),
      row({
        name: 'install: npx backroom start until it is ready',
        figure: await secondsUntil(shop, ['npx', 'backroom', 'start'], /^Backroom is at http/),
        ...{ unit: 's', figureBound: { most: 3 } },
      }),
      row({
        name: 'install: npx backroom demo until its link',
        figure: await secondsUntil(shop, ['npx', 'backroom', 'demo'], /^Open http/),
        unit: 's',
      }),
    ];
  } finally {
    rmSync(vendure, { recursive: true, force: true });
  }
}

async function secondsUntil(shop: ReturnType<typeof installPackage>, command: readonly string[], line: RegExp): Promise<number> {
  const began = performance.now();
  const started = shop.start(command, { PORT: '0' });
  await started.line(line);
  const seconds = (performance.now() - began) / 1000;
  shop.signal(started, 'SIGINT');
  await started.exited;
  return seconds;
}
