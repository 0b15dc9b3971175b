import { parseArgs } from 'node:util';
import { adminPermissions, canonicalPermission, isKnownPermission, type Permission } from '../contract/permissions.ts';
import { ConfigError, readConfig } from '../server/config.ts';
import { migrate } from '../server/db/migrate.ts';
import { openStore } from '../server/db/open.ts';
import { StoreRefusal } from '../server/db/refusal.ts';
import { createAdmin, createToken } from '../server/resources/tokens/domain.ts';
import { selectAdminByEmail } from '../server/resources/tokens/store.ts';

const USAGE = `backroom admin create --email ADDRESS [--name NAME] [--role owner|staff] [--permission NAME]... [--token]
  Creates an admin; --token also creates an access token and prints it once. Where the admin exists already, only the token
  is created.`;

class UsageError extends Error {}

try {
  await main();
} catch (error) {
  const isUsage = error instanceof UsageError || error instanceof ConfigError || (error instanceof TypeError && 'code' in error);
  if (!(isUsage || error instanceof StoreRefusal)) throw error;
  process.stderr.write(isUsage ? `${error.message}\n\n${USAGE}\n` : `${error.message}\n`);
  process.exitCode = isUsage ? 2 : 1;
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      name: { type: 'string', default: '' },
      role: { type: 'string', default: 'staff' },
      permission: { type: 'string', multiple: true, default: [] },
      token: { type: 'boolean', default: false },
    },
  });
  if (positionals.join(' ') !== 'create') throw new UsageError(`"${positionals.join(' ')}" is not a command; the only command is create.`);
  const { email, name, role, token } = values;
  if (!email || !/^[^\s@]+@[^\s@]+$/.test(email.trim())) throw new UsageError('--email must be an email address.');
  if (role !== 'owner' && role !== 'staff') throw new UsageError(`--role is "${role}": owner or staff is expected.`);
  const permissions = values.permission.map(readPermission);
  const config = readConfig(process.env);
  const store = openStore({ url: config.databaseUrl });
  try {
    await migrate(store);
    const now = new Date().toISOString();
    const made = await store.write(async (tx) => {
      const known = await selectAdminByEmail(tx, email);
      const adminId =
        known?.id ?? (await createAdmin(tx, { name, email: email.trim(), role, permissions: role === 'owner' ? null : permissions }, now));
      const secret = token ? (await createToken(tx, { adminId, name: 'command line' }, now)).token : null;
      return { adminId, secret, isNew: known === undefined };
    });
    process.stdout.write(`${made.isNew ? 'Created' : 'Found'} admin ${made.adminId}.\n`);
    if (made.secret !== null) process.stdout.write(`Access token, shown once: ${made.secret}\n`);
  } finally {
    await store.close();
  }
}

function readPermission(text: string): Permission {
  const permission = canonicalPermission(text);
  if (isKnownPermission(permission)) return permission;
  throw new UsageError(`--permission ${text} is not known; accepted are: ${adminPermissions.join(', ')}`);
}
