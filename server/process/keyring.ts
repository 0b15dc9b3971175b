import { keyOfFile, readKeyFile, type SecretsKey } from './key-file.ts';

/** The keys of this process's secrets. They are read when they are needed, so that a rotation needs no restart of the server. */
export type Keyring = {
  /** The key that seals; where neither SECRETS_KEY nor the file is there, the file is made. */
  current(): SecretsKey;
  /** The keys that open, the current one first; none is made. */
  all(): readonly SecretsKey[];
};

export type KeyringConfig = { secretsKey: SecretsKey | undefined; secretsKeyOld: SecretsKey | undefined; secretsKeyFile: string };

/** While the secrets are sealed anew with a new key of the file, the old one is here. */
export function oldFileOf(file: string): string {
  return `${file}.old`;
}

export function createKeyring({ secretsKey, secretsKeyOld, secretsKeyFile: file }: KeyringConfig): Keyring {
  return {
    current: () => secretsKey ?? keyOfFile(file),
    all: () => [secretsKey, secretsKeyOld, readKeyFile(file), readKeyFile(oldFileOf(file))].filter((key) => key !== undefined),
  };
}
