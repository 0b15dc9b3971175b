import pino from 'pino';
import { ConfigError, readConfig, type ServerConfig } from './config.ts';
import { StoreRefusal } from './db/refusal.ts';
import { missingFor } from './process/optional-package.ts';
import { requestOfLine } from './process/request-id.ts';
import { startServer } from './server.ts';

const config = readOrExit();
const log = pino({
  level: config.logLevel,
  base: { name: 'server' },
  mixin: requestOfLine,
  redact: ['*.token', '*.authorization', 'headers.authorization'],
});
const server = await startServer(config, log).catch((error: unknown) => {
  if (error instanceof StoreRefusal) process.stderr.write(`${error.message}\n`);
  else log.fatal({ err: error }, 'the server could not start');
  process.exit(1);
});
log.info({ url: server.url }, 'listening');
if (server.ownerToken !== null && config.bootstrapAdminToken === undefined) {
  process.stdout.write(`\nThe first owner's access token, shown once:\n\n  ${server.ownerToken}\n\n`);
}

let stopping = false;
const stop = (signal: NodeJS.Signals): void => {
  if (stopping) process.exit(1);
  stopping = true;
  log.info({ signal }, 'stopping');
  server.close().then(
    () => {
      log.info('stopped');
      // The exporter may still wait for a collector that does not answer; all else is closed.
      if (config.tracing !== null) process.exit();
    },
    (error: unknown) => {
      log.error({ err: error }, 'stopped with an error');
      process.exitCode = 1;
    },
  );
};
process.on('SIGTERM', stop).on('SIGINT', stop);

function readOrExit(): ServerConfig {
  try {
    const read = readConfig(process.env);
    const line = missingFor(read);
    if (line !== null) throw new ConfigError(line);
    return read;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}
