import { createWriteStream } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type PartProcess, startListeningServer, startPart } from '../../../ops/processes.ts';

/** A server or a runner that may be down at any time. */
export type Machine = {
  name: string;
  /** The number of its process; null while it is down. */
  pid(): number | null;
  /** Starts it unless it is up, and waits until it is; tries again until a server listens. Throws when none does within two minutes. */
  start(): Promise<void>;
  /** Ends it with this signal and waits for its end. Returns the exit code; null when the signal ended it, or when it was down. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
  /** SIGSTOP and SIGCONT, if it is up. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Sets its clock so many seconds before or after the true time. Needs the clock of `MachineOptions`. */
  setClock(seconds: number): Promise<void>;
  /** Ends of its process that nobody asked for. */
  unasked: string[];
};

/** `log`: the file of its lines; `clock`: the library libfaketime, and the file that tells it the time; null: the clock cannot be set. */
export type MachineOptions = {
  part: 'server' | 'runner';
  name: string;
  env: Record<string, string>;
  log: string;
  clock: { library: string; file: string } | null;
};

const PAUSE_MS = 200;
const START_WITHIN_MS = 120_000;

export async function createMachine({ part, name, env, log, clock }: MachineOptions): Promise<Machine> {
  const lines = createWriteStream(log, { flags: 'a' });
  const onLine = (line: string): void => void lines.write(`${line}\n`);
  const unasked: string[] = [];
  let running: PartProcess | null = null;
  let asked = false;
  let starting: Promise<void> | null = null;
  const setClock = async (seconds: number): Promise<void> => {
    if (clock === null) throw new Error(`the clock of ${name} cannot be set`);
    // A file that is replaced is never read half written.
    await writeFile(`${clock.file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`);
    await rename(`${clock.file}.new`, clock.file);
  };
  if (clock) await setClock(0);
  const clockEnv: Record<string, string> = clock
    ? {
        LD_PRELOAD: clock.library,
        FAKETIME_TIMESTAMP_FILE: clock.file,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
        FAKETIME_DONT_FAKE_STAT: '1',
        NO_FAKE_STAT: '1',
      }
    : {};
  /** Resolves when a server listens; of a runner, `ready` tells when it has started. */
  const startOnce = (ready: () => void): Promise<PartProcess> | PartProcess => {
    const all = { ...env, ...clockEnv };
    if (part === 'server') return startListeningServer(all, onLine).finally(ready);
    return startPart('runner', all, (line) => {
      onLine(line);
      if (line.includes('"msg":"the runner is ready')) ready();
    });
  };

  async function startUntilUp(): Promise<void> {
    const until = performance.now() + START_WITHIN_MS;
    while (running === null) {
      try {
        const { promise: isReady, resolve: ready } = Promise.withResolvers<void>();
        const begun = await startOnce(ready);
        running = begun;
        asked = false;
        void begun.exited.then((code) => {
          if (running === begun) running = null;
          if (!asked) unasked.push(`${name} ended by itself with ${code ?? 'a signal'}`);
        });
        // A process that is asked to end before it listens to signals is ended by the signal.
        await Promise.race([isReady, begun.exited]);
      } catch (error) {
        // A server does not start without its database, or on a full disk; `npm start` would also try again.
        onLine(String(error));
        if (performance.now() > until) throw new Error(`${name} does not start`, { cause: error });
        await delay(PAUSE_MS);
      }
    }
  }

  return {
    name,
    unasked,
    setClock,
    pid: () => running?.pid ?? null,
    // A server that finds no database is tried again for some time; who starts it meanwhile waits for the same start.
    start: () => (starting ??= startUntilUp().finally(() => (starting = null))),
    async stop(signal) {
      const ending = running;
      if (ending === null) return null;
      asked = true;
      await ending.stop(signal);
      return ending.exited;
    },
    signal(signal) {
      if (running !== null) signalIfAlive(running.pid, signal);
    },
  };
}

/** Sends the signal, unless the process has just ended. */
export function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
