import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { stop as stopEsbuild } from 'esbuild';
import { pino } from 'pino';
import { z } from 'zod';
import { readConfig } from './config.ts';
import { claimRuns } from './loop.ts';
import { createPool } from './pool.ts';
import { writePrelude } from './prelude.ts';
import { type RunHandle, startRun } from './run.ts';
import { createServerClient } from './server-client.ts';
import { isolationLayers, spawnWorker } from './worker-process.ts';

/** How long runs may look for a checkpoint when the runner stops (automation.md §3), and then tell their end. */
const DRAIN_MS = 20_000;
const FAREWELL_MS = 5000;
/** Claims carry sources and checkpoints of up to 64 runs. */
const CLAIMS_MAX_BYTES = 256 * 1024 * 1024;

const config = readConfig(process.env);
if ('problem' in config) {
  process.stderr.write(`The runner cannot start: ${config.problem}\n`);
  process.exitCode = 1;
} else {
  await main(config);
}

async function main({
  serverUrl,
  runnerToken,
  slots,
  name,
  logLevel,
}: Exclude<ReturnType<typeof readConfig>, { problem: string }>): Promise<void> {
  const log = pino({ level: logLevel, base: { part: 'runner' } });
  const client = createServerClient(serverUrl);
  const claimClient = createServerClient(serverUrl, { answerMaxBytes: CLAIMS_MAX_BYTES });
  const preludePath = await writePrelude();
  // Its service process would stay, with this one's environment.
  await stopEsbuild();
  const pool = createPool({
    slots,
    spawn: () =>
      spawnWorker(preludePath, { onStderr: (stderr) => log.debug({ stderr: stderr.slice(0, 2000) }, 'a worker printed something') }),
    log,
  });
  const runs = new Set<RunHandle>();
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A second signal does not wait; the workers go with their parent.
      if (stop.signal.aborted) process.exit(1);
      log.info({ signal, runs: runs.size }, 'the runner stops: no new runs, the open ones may reach a checkpoint');
      stop.abort();
    });
  }

  log.info({ server: serverUrl, name, slots, isolation: isolationLayers }, 'the runner is ready to claim runs');
  try {
    await claimRuns({
      client: claimClient,
      token: runnerToken,
      runner: { name, version: ownVersion(), isolation: isolationLayers },
      slots,
      log,
      signal: stop.signal,
      start(claim) {
        const run = startRun(claim, { client, pool, log });
        runs.add(run);
        void run.finished.then(() => runs.delete(run));
        return run;
      },
    });
  } catch (error) {
    log.fatal(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
    stop.abort();
  }
  await drain(runs);
  await pool.close();
  await Promise.all([client.close(), claimClient.close()]);
  log.info('the runner has stopped');
}

async function drain(runs: ReadonlySet<RunHandle>): Promise<void> {
  for (const run of runs) run.drain();
  await allFinished(runs, DRAIN_MS);
  for (const run of runs) run.interrupt();
  await allFinished(runs, FAREWELL_MS);
  for (const run of runs) run.abandon();
}

async function allFinished(runs: ReadonlySet<RunHandle>, withinMs: number): Promise<void> {
  const timeout = new AbortController();
  await Promise.race([
    Promise.all([...runs].map((run) => run.finished)).finally(() => timeout.abort()),
    delay(withinMs, undefined, { signal: timeout.signal }).catch(() => {}),
  ]);
}

function ownVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
