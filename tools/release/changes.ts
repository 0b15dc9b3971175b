import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT } from './shipped.ts';

/** What the next release brings: a file in `.changeset/` for each change that a user sees. */

const FOLDER = join(ROOT, '.changeset');

export const changesetFiles = (folder = FOLDER): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort();

/** What is wrong with a changeset; null if nothing is. */
export function faultOfChangeset(text: string, packageName: string): string | null {
  const [, head, body = ''] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(text) ?? [];
  if (head === undefined) return 'it must begin with the name of the package and the kind of the change between two lines of ---';
  const kinds = z.record(z.string(), z.enum(['patch', 'minor', 'major'])).safeParse(parse(head));
  if (!kinds.success || Object.keys(kinds.data).join() !== packageName) return `its head must be "${packageName}": patch, minor or major`;
  return body.trim() === '' ? 'it must say what a user notices' : null;
}

/** The versions that the changelog tells of, newest first. */
export function changelogVersions(text = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')): string[] {
  return [...text.matchAll(/^## (\S+)$/gm)].flatMap(([, version]) => version ?? []);
}

/** What Helm's chart says: its own version, and that of the program. */
export function chartVersions(): { version: string; appVersion: string } {
  const text = readFileSync(join(ROOT, 'deploy/helm/backroom/Chart.yaml'), 'utf8');
  return z.object({ version: z.string(), appVersion: z.string() }).parse(parse(text));
}

/** Where another version stands than the package's. */
export function otherVersions(version: string): string[] {
  const lock = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  const chart = chartVersions();
  const places: Record<string, string | undefined> = {
    'package-lock.json': lock.version,
    'version of Chart.yaml': chart.version,
    'appVersion of Chart.yaml': chart.appVersion,
    'the first section of CHANGELOG.md': changelogVersions()[0],
  };
  return Object.entries(places).flatMap(([place, found]) => (found === version ? [] : [`${place}: ${found ?? 'none'}`]));
}
