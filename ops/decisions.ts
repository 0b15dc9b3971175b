import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { verifyDecisions } from '../server/automation/verification/domain.ts';
import { readConfig } from '../server/config.ts';
import { createQuietServices } from '../server/create-services.ts';
import { schemaGap } from '../server/db/migrate.ts';
import { isPostgresUrl, openStore, type Store } from '../server/db/open.ts';
import { resetPolicy } from '../server/resources/decisions/policy.ts';
import { CommandError, runCommand } from '../server/shop-data/command.ts';

/** `backroom verify approvals` and `backroom policy reset`, on the store that the environment or `--store` names. */

await runCommand(main);

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { store: { type: 'string' } } });
  const command = positionals.join(' ');
  if (command !== 'verify approvals' && command !== 'policy reset')
    throw new CommandError(`"${command}" is not a command; there are: verify approvals, policy reset`);
  const config = readConfig(process.env);
  const url = values.store?.replace(/^sqlite:/, '') ?? config.databaseUrl;
  if (!isPostgresUrl(url) && !existsSync(url)) throw new CommandError(`there is no store at ${url}`, { exitCode: 1 });
  const store = openStore({ url, poolSize: 2, synchronous: config.sqliteSynchronous });
  try {
    const gap = await schemaGap(store);
    if (gap === null || gap.missing.length > 0)
      throw new CommandError('the store has an older schema: run backroom db migrate on it first', { exitCode: 1 });
    await (command === 'policy reset' ? reset(store, config.dataDir) : verify(store));
  } finally {
    await store.close();
  }
}

/** Prints each decision and what does not fit; the exit code is 1 if anything does not. */
async function verify(store: Store): Promise<void> {
  let [decisions, wrong] = [0, 0];
  for await (const { line, faults, notes } of verifyDecisions(store)) {
    decisions += 1;
    wrong += faults.length > 0 ? 1 : 0;
    process.stdout.write(`${faults.length === 0 ? 'ok   ' : 'WRONG'} ${line}\n`);
    for (const text of [...faults, ...notes]) process.stdout.write(`        ${text}\n`);
  }
  process.stdout.write(`${decisions} looked at, ${wrong} wrong.\n`);
  if (wrong > 0) process.exitCode = 1;
}

async function reset(store: Store, dataDir: string): Promise<void> {
  const services = await createQuietServices(store, dataDir);
  const before = await services.transact('policy.reset', resetPolicy);
  process.stdout.write(
    before.length === 0
      ? 'No act asks for a passkey or a second owner: nothing was changed.\n'
      : `A token of one owner does again for: ${before.join(', ')}. The audit log says so.\n`,
  );
}
