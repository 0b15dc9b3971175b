import { existsSync, linkSync, renameSync, unlinkSync } from 'node:fs';
import { signingSecrets } from '../server/automation/hooks/signing-secrets.ts';
import { sealAgain, taskSecrets } from '../server/automation/secrets/rotation.ts';
import { readConfig, type ServerConfig } from '../server/config.ts';
import { migrate } from '../server/db/migrate.ts';
import { openStore } from '../server/db/open.ts';
import { newKeyFile, readKeyFile } from '../server/process/key-file.ts';
import { createKeyring, oldFileOf } from '../server/process/keyring.ts';
import { CommandError, runCommand } from '../server/shop-data/command.ts';

/** `backroom secrets rotate`: encrypts the secrets of the store that the environment names with a new key. */

await runCommand(() => main(process.argv.slice(2)));

async function main([command, ...rest]: string[]): Promise<void> {
  if (command !== 'rotate' || rest.length > 0) throw new CommandError('there is one command, without arguments: backroom secrets rotate');
  const config = readConfig(process.env);
  if (config.secretsKey === undefined && !beginInFile(config)) {
    process.stdout.write(`There is no key yet: ${config.secretsKeyFile} is made when the first secret is stored.\n`);
    return;
  }
  const store = openStore({ url: config.databaseUrl, poolSize: 2, synchronous: config.sqliteSynchronous });
  try {
    await migrate(store);
    const keys = createKeyring(config);
    const [tasks, hooks] = [await sealAgain(store, keys, taskSecrets), await sealAgain(store, keys, signingSecrets)];
    const unreadable = [...tasks.unreadable, ...hooks.unreadable];
    const sealed = tasks.sealed + hooks.sealed;
    if (unreadable.length > 0)
      throw new CommandError(
        `${sealed} secrets are encrypted with the new key. No key that is known here opens ${unreadable.join(', ')}: give the old key in SECRETS_KEY_OLD and repeat the command, or set these secrets anew.`,
        { exitCode: 1 },
      );
    process.stdout.write(`${sealed} ${sealed === 1 ? 'secret is' : 'secrets are'} encrypted with the new key.\n`);
  } finally {
    await store.close();
  }
  endWith(config);
}

/** Puts a new key into the file and keeps the old one beside it until no secret needs it; false: there is no key. */
function beginInFile({ secretsKeyFile: file }: ServerConfig): boolean {
  const [present, old] = [readKeyFile(file), readKeyFile(oldFileOf(file))];
  if (!present) return false;
  // An old key beside another one was left by a rotation that was stopped; it is continued.
  if (old && old.id !== present.id) return true;
  if (!old) linkSync(file, oldFileOf(file));
  renameSync(newKeyFile(file), file);
  return true;
}

function endWith({ secretsKey, secretsKeyFile: file }: ServerConfig): void {
  if (existsSync(oldFileOf(file))) unlinkSync(oldFileOf(file));
  if (secretsKey === undefined) process.stdout.write(`The new key is in ${file}. Keep a copy of it: without it, the secrets are lost.\n`);
  else {
    process.stdout.write('The key is that of SECRETS_KEY; SECRETS_KEY_OLD is no longer needed.\n');
    if (existsSync(file)) process.stdout.write(`${file} is no longer used: delete it.\n`);
  }
}
