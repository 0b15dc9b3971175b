import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

/** Reads the files of deploy/. */

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The documents of a YAML file; throws where it is not valid. `path` begins at the project's folder, unless it is absolute. */
export function readYaml(path: string): unknown[] {
  const text = readFileSync(path.startsWith('/') ? path : join(root, path), 'utf8');
  return parseAllDocuments(text, { merge: true }).map((document) => {
    const [error] = document.errors;
    if (error) throw new Error(`${path}: ${error.message}`);
    const value: unknown = document.toJS();
    return value;
  });
}

const SeccompProfile = z.object({
  defaultAction: z.string(),
  syscalls: z.array(z.object({ names: z.array(z.string()), action: z.string(), errnoRet: z.int() })),
});

export function readSeccompProfile() {
  return SeccompProfile.parse(JSON.parse(readFileSync(join(root, 'deploy/seccomp/runner.json'), 'utf8')));
}
