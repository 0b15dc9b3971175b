import { run } from './run.ts';

/** `registry`: null for npm's own. `provenance`: npm makes and signs a statement of where the package was built. */
export type Publishing = { tarball: string; registry: string | null; provenance: boolean };

/** Why the package cannot be published so; null if it can. */
export function obstacleTo(
  { registry, provenance }: Omit<Publishing, 'tarball'>,
  manifest: Record<string, unknown>,
  env: NodeJS.ProcessEnv,
): string | null {
  if (!provenance) return registry === null ? '--no-provenance goes with a --registry of your own alone' : null;
  if (env['ACTIONS_ID_TOKEN_REQUEST_URL'] === undefined && env['SIGSTORE_ID_TOKEN'] === undefined) {
    return 'npm signs the provenance with the identity that a CI service gives (GitHub: permission "id-token: write"; GitLab: SIGSTORE_ID_TOKEN), and there is none: run it there';
  }
  return manifest['repository'] === undefined ? 'npm compares the provenance with "repository" in package.json, and there is none' : null;
}

export const publishArguments = ({ tarball, registry, provenance }: Publishing): string[] => [
  'publish',
  tarball,
  '--access=public',
  ...(provenance ? ['--provenance'] : ['--provenance=false']),
  ...(registry === null ? [] : [`--registry=${registry}`]),
];

export async function publish(publishing: Publishing, env = process.env): Promise<void> {
  await run('npm', publishArguments(publishing), { env });
}
