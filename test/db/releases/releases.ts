import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Engine } from '../../../server/db/dialect.ts';
import { migrations } from '../../../server/db/migration-list.ts';
import type { Answers } from './answers.ts';
import type { Automation } from './automation.ts';
import type { Goods } from './shop.ts';

/** What each release has left: a folder with its version as its name. `npm run release:fixture` writes it (make.ts). */

const FOLDER = new URL('./', import.meta.url);

/** What the tests know of a store beside it. `files`: the content of each uploaded file as base64, by its path below DATA_DIR. */
export type Left = { goods: Goods; automation: Automation; files: Record<string, string>; answers: Answers };

/** `migrations`: those that the release had, each with the digest of its statements. The first one is the schema of a new store. */
const Release = z.object({ version: z.string(), made_at: z.string(), migrations: z.record(z.string(), z.string()) });
export type Release = z.infer<typeof Release>;

/** The key of the secrets in the stores. It protects nothing: what they encrypt stands in the source of the tests. */
export const SECRETS_KEY = createHash('sha256').update('the stores of the releases').digest('hex');

export const folderOf = (version: string): URL => new URL(`${version}/`, FOLDER);

export function releases(): Release[] {
  const names = readdirSync(FOLDER, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && existsSync(new URL(`${entry.name}/release.json`, FOLDER)),
  );
  return names.map(({ name }) => Release.parse(JSON.parse(readFileSync(new URL(`${name}/release.json`, FOLDER), 'utf8'))));
}

export function leftOf({ version }: Release, engine: Engine): Left {
  return JSON.parse(readFileSync(new URL(`${engine}.json`, folderOf(version)), 'utf8'));
}

/** The migrations of this program with the digests of their statements. */
export async function migrationDigests(): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const [name, load] of Object.entries(migrations)) {
    const { statements } = z.object({ statements: z.unknown() }).parse(await load());
    digests[name] = createHash('sha256').update(JSON.stringify(statements)).digest('hex');
  }
  return digests;
}
