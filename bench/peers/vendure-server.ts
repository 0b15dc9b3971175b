import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { addressOf, print } from './queue-child.ts';
import { fillVendure } from './vendure-fill.ts';
import type { Vendure, VendureCli } from './vendure-types.ts';

/** Child process of api-peers.ts: a Vendure server on a new SQLite file with the orders of a shop; prints when it is ready. */
const [folder = '', workFolder = '', shopFile = '', port, password] = process.argv.slice(2);
// Vendure writes the id of its telemetry into the current folder.
process.chdir(workFolder);
process.env['VENDURE_DISABLE_TELEMETRY'] = 'true';
const vendure: Vendure = await import(addressOf(folder, '@vendure/core'));
const cli: VendureCli = await import(addressOf(folder, '@vendure/core/cli'));
process.stdin.resume().once('end', () => process.exit());
const silent = () => undefined;
const app = await vendure.bootstrap({
  apiOptions: { hostname: '127.0.0.1', port: Number(port), adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: {
    tokenMethod: ['bearer'],
    superadminCredentials: { identifier: 'superadmin', password },
    cookieOptions: { secret: password },
  },
  dbConnectionOptions: {
    type: 'better-sqlite3',
    // Backroom's SQLite.
    driver: SqliteDatabase,
    database: join(workFolder, 'vendure.db'),
    synchronize: true,
    logging: false,
    // The same settings as Backroom's store.
    prepareDatabase: (database: SqliteDatabase.Database) => {
      for (const pragma of ['journal_mode = WAL', 'synchronous = NORMAL', 'cache_size = -32000']) database.pragma(pragma);
    },
  },
  paymentOptions: { paymentMethodHandlers: [] },
  importExportOptions: { importAssetsDir: workFolder },
  logger: {
    error: (text: string) => void process.stderr.write(`vendure: ${text}\n`),
    warn: silent,
    info: silent,
    verbose: silent,
    debug: silent,
  },
  plugins: [],
});
await fillVendure(vendure, cli, app, shopFile);
print('ready');
