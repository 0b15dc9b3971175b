import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Where and of what a tarball was built. */
export type Build = {
  name: string;
  version: string;
  tarball: string;
  lockFile: string;
  commit: string;
  /** The address of the repository; null: it has none. */
  repository: string | null;
  command: string;
  tools: Record<string, string>;
  startedOn: Date;
  finishedOn: Date;
  env: Readonly<Record<string, string | undefined>>;
};

/** What this build did, for whoever reads the statement: docs/releases.md says it in words. */
const BUILD_TYPE = 'urn:backroom:release:v1';

export const digestOf = (file: string, algorithm: 'sha256' | 'sha512'): string =>
  createHash(algorithm).update(readFileSync(file)).digest('hex');

/**
 * A statement of in-toto with the provenance of SLSA, both version 1. It is not signed: `npm publish --provenance` makes and signs one of its
 * own, with the identity that a CI service gives.
 */
export function provenanceOf(build: Build): object {
  const {
    GITHUB_SERVER_URL: server,
    GITHUB_REPOSITORY: path,
    GITHUB_RUN_ID: run,
    GITHUB_RUN_ATTEMPT: attempt,
    GITHUB_WORKFLOW_REF: workflow,
  } = build.env;
  const isCi = server !== undefined && path !== undefined && run !== undefined;
  const repository = isCi ? `${server}/${path}` : build.repository;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      {
        name: `pkg:npm/${build.name}@${build.version}`,
        digest: { sha256: digestOf(build.tarball, 'sha256'), sha512: digestOf(build.tarball, 'sha512') },
      },
    ],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { command: build.command, ...(isCi && workflow !== undefined && { workflow }) },
        internalParameters: build.tools,
        resolvedDependencies: [
          { ...(repository !== null && { uri: `git+${repository}@${build.commit}` }), name: 'source', digest: { gitCommit: build.commit } },
          { name: basename(build.lockFile), digest: { sha256: digestOf(build.lockFile, 'sha256') } },
        ],
      },
      runDetails: {
        builder: { id: isCi ? `${server}/actions/runner` : 'urn:backroom:a-machine-of-ones-own' },
        metadata: {
          ...(isCi && { invocationId: `${server}/${path}/actions/runs/${run}/attempts/${attempt ?? '1'}` }),
          startedOn: build.startedOn.toISOString(),
          finishedOn: build.finishedOn.toISOString(),
        },
      },
    },
  };
}
