import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../server/config.ts';
import { type Db, openStore } from '../server/db/open.ts';
import { createLocalSignInLink } from '../server/resources/tokens/local-links.ts';
import { selectAdminByEmail, selectFirstOwner } from '../server/resources/tokens/store.ts';

const USAGE = `backroom admin sign-in-link [--email ADDRESS] [--minutes N] [--server URL]
  Prints an address that signs in to the console once, as the first owner or the given admin.`;

class UsageError extends Error {}
class Failure extends Error {}

try {
  process.stdout.write(`${await signInLink()}\n`);
} catch (error) {
  const isUsage = error instanceof UsageError || error instanceof ConfigError || (error instanceof TypeError && 'code' in error);
  if (!isUsage && !(error instanceof Failure)) throw error;
  process.stderr.write(isUsage ? `${error.message}\n\n${USAGE}\n` : `${error.message}\n`);
  process.exitCode = isUsage ? 2 : 1;
}

async function signInLink(): Promise<string> {
  const { values } = parseArgs({
    options: { email: { type: 'string' }, minutes: { type: 'string', default: '15' }, server: { type: 'string' } },
  });
  const minutes = Number(values.minutes);
  if (!(Number.isInteger(minutes) && minutes >= 1 && minutes <= 60))
    throw new UsageError(`--minutes is "${values.minutes}": a whole number from 1 to 60 is expected.`);
  const config = readConfig(process.env);
  if (values.server === undefined && config.port === 0) throw new UsageError('PORT is 0: --server must say where the server is.');
  const server = values.server ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`;
  if (!URL.canParse(server) || !/^https?:\/\//.test(server))
    throw new UsageError(`--server is "${server}": an address such as http://127.0.0.1:8787 is expected.`);
  if (!/^postgres(ql)?:/.test(config.databaseUrl) && !existsSync(config.databaseUrl))
    throw new Failure(`There is no shop in ${config.databaseUrl} yet: start it first ("npm start").`);
  const store = openStore({ url: config.databaseUrl });
  try {
    const { path, until } = await store.write(async (tx) =>
      createLocalSignInLink(tx, await adminId(tx, values.email), minutes, new Date().toISOString()),
    );
    process.stderr.write(`Works once, until ${until}:\n`);
    return `${server.replace(/\/+$/, '')}${path}`;
  } finally {
    await store.close();
  }
}

async function adminId(db: Db, email: string | undefined): Promise<number> {
  const admin = email === undefined ? await selectFirstOwner(db) : await selectAdminByEmail(db, email);
  if (admin === undefined) throw new Failure(email === undefined ? 'The shop has no active owner.' : `No admin has the email ${email}.`);
  if (admin.active !== 1) throw new Failure(`The admin ${admin.email} is deactivated.`);
  return admin.id;
}
