import { keyOfFile, readKeyFile, type SecretsKey } from './secrets-key.ts';

/** The keys of this process's secrets. They are read when they are needed, so that a rotation needs no restart of the server. */
export type SecretKeys = {
  /** The key that seals; where neither SECRETS_KEY nor the file is there, the file is made. */
  current(): SecretsKey;
  /** The keys that open, the current one first; none is made. */
  all(): readonly SecretsKey[];
};

export type SecretKeysConfig = { secretsKey: SecretsKey | undefined; secretsKeyOld: SecretsKey | undefined; secretsKeyFile: string };

/** While the secrets are sealed anew with a new key of the file, the old one is here. */
export function oldFileOf(file: string): string {
  return `${file}.old`;
}

export function createSecretKeys({ secretsKey, secretsKeyOld, secretsKeyFile: file }: SecretKeysConfig): SecretKeys {
  return {
    current: () => secretsKey ?? keyOfFile(file),
    all: () => [secretsKey, secretsKeyOld, readKeyFile(file), readKeyFile(oldFileOf(file))].filter((key) => key !== undefined),
  };
}
