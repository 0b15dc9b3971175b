import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { LIST, packageFolders } from '../bundled-packages.ts';
import { licencesText } from './licences.ts';
import { sbomOf } from './sbom.ts';
import { ROOT, shippedPackages } from './shipped.ts';

/** Builds that wrote their own lists. */
const LISTED = ['dist/console', 'dist/docs'];

/** Writes what the package has from others: its bill of materials, and the licences. `files`: those of others that were bundled. */
export function describePackage(files: readonly string[]): void {
  const listed = LISTED.flatMap((folder) => z.array(z.string()).parse(JSON.parse(readFileSync(join(ROOT, folder, LIST), 'utf8'))));
  const packages = shippedPackages([...new Set([...packageFolders(files), ...listed])].sort());
  writeFileSync(join(ROOT, 'dist/THIRD-PARTY-LICENSES.txt'), licencesText(packages));
  writeFileSync(join(ROOT, 'dist/sbom.cdx.json'), `${JSON.stringify(sbomOf(packages))}\n`);
}
