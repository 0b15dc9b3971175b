import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { z } from 'zod';
import { missingForTracing } from '../tracing/packages.ts';
import { openTracing } from '../tracing/tracing.ts';
import { stopBundling } from './bundling.ts';
import { readConfig, ServerUrl } from './config.ts';
import { openHealth } from './health.ts';
import { chooseIsolation, type Isolation } from './isolation/choose.ts';
import type { Layer } from './isolation/layers.ts';
import { warningOf } from './isolation/warning.ts';
import { claimRuns } from './loop.ts';
import { createPool } from './pool.ts';
import { preludeFile } from './prelude.ts';
import { executeRun, type RunHandle } from './run.ts';
import { createServerClient } from './server-client.ts';
import { spawnWorker } from './worker-process.ts';

/** When the runner stops, open runs have this long to reach a checkpoint (spec RU17). */
const DRAIN_MS = 20_000;
/** After that, their ends have this long to reach the server. */
const REPORT_END_MS = 5000;
/** Exit code that tells `npm start` not to try again, because the runner cannot start on this machine. */
const CANNOT_START_HERE = 2;
/** An answer to a claim holds sources and checkpoints of up to 64 runs. */
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
  isolationRequired,
  workerUid,
  healthPort,
  promptHoldMs,
  logLevel,
  tracing: tracingConfig,
}: Exclude<ReturnType<typeof readConfig>, { problem: string }>): Promise<void> {
  const log = pino({ level: logLevel, base: { part: 'runner' } });
  const missing = tracingConfig === null ? null : missingForTracing();
  if (missing !== null) {
    process.stderr.write(`The runner cannot start: ${missing}\n`);
    process.exitCode = 1;
    return;
  }
  const tracing = await openTracing(tracingConfig, { part: 'runner', version: ownVersion(), log });
  const stop = new AbortController();
  const runs = new Set<RunHandle>();
  let serverAnswers = false;
  const healthSource = { isReady: () => serverAnswers && !stop.signal.aborted, running: () => runs.size };
  const health = healthPort === null ? null : await openHealth(healthPort, healthSource);
  if (health !== null && 'problem' in health) {
    process.stderr.write(`The runner cannot start: RUNNER_HEALTH_PORT ${health.problem}\n`);
    process.exitCode = 1;
    return;
  }
  if (health !== null) log.info({ port: health.port }, 'the runner answers for its health');
  const onStderr = (text: string): void => log.debug({ stderr: text.slice(0, 2000) }, 'a worker printed something');
  const isolation = await chooseIsolation({ preludePath: await preludeFile(), workerUid, onStderr });
  await stopBundling();
  const refusal = refuseToStart(isolation, isolationRequired);
  if (refusal !== null) {
    process.stderr.write(refusal);
    isolation.worker?.kill();
    health?.close();
    process.exitCode = CANNOT_START_HERE;
    return;
  }
  const warning = warningOf(isolation.missing);
  if (warning !== null) process.stderr.write(warning);
  for (const { layer, why } of isolation.missing)
    log.warn({ layer, why }, 'a layer of the sandbox is missing here; `backroom doctor` tells what would bring it');
  const address = serverUrl ?? (await readAddress());
  if (address === null) {
    // Whoever was to tell the address has ended without it.
    isolation.worker?.kill();
    health?.close();
    return;
  }
  const client = createServerClient(address);
  const claimClient = createServerClient(address, { answerMaxBytes: CLAIMS_MAX_BYTES });
  const pool = createPool({
    slots,
    spawn: () => spawnWorker(isolation.launch, onStderr),
    log,
    standby: isolation.worker,
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A second signal ends the runner at once; its workers die with it.
      if (stop.signal.aborted) process.exit(1);
      log.info({ signal, runs: runs.size }, 'the runner stops: no new runs, the open ones may reach a checkpoint');
      stop.abort();
    });
  }

  log.info({ server: address, name, slots, isolation: isolation.layers }, 'the runner is ready to claim runs');
  try {
    await claimRuns({
      client: claimClient,
      token: runnerToken,
      runner: { name, version: ownVersion(), isolation: isolation.layers },
      slots,
      log,
      onServer: (answers) => (serverAnswers = answers),
      signal: stop.signal,
      start(claim, ask) {
        const run = executeRun(claim, { client, pool, log, promptHoldMs, tracing, next: { client: claimClient, ask } });
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
  await tracing?.close();
  health?.close();
  log.info('the runner has stopped');
  // The exporter may still wait for a collector that does not answer; all else is closed.
  if (tracing !== null) process.exit();
}

/** Reads the server's address from the standard input; null if that ends without one. */
async function readAddress(): Promise<string | null> {
  for await (const line of createInterface({ input: process.stdin })) return ServerUrl.parse(line);
  return null;
}

/** Returns why the runner must not start (no worker starts, or a required layer is missing), as text for stderr; else null. */
function refuseToStart({ missing, worker }: Isolation, required: readonly Layer[]): string | null {
  const lacking = missing.filter(({ layer }) => required.includes(layer) || (worker === null && layer === 'process'));
  if (lacking.length === 0) return null;
  const lines = lacking.map(({ layer, why, remedy }) => `  ${layer}: ${why}. To have it: ${remedy}\n`);
  const named = 'RUNNER_ISOLATION_REQUIRED names layers of the sandbox that are not available here';
  return `The runner cannot start: ${worker === null ? 'no worker starts here' : named}:\n${lines.join('')}`;
}

async function drain(runs: ReadonlySet<RunHandle>): Promise<void> {
  for (const run of runs) run.drain();
  await allFinished(runs, DRAIN_MS);
  for (const run of runs) run.interrupt();
  await allFinished(runs, REPORT_END_MS);
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
