import { setTimeout as delay } from 'node:timers/promises';
import { childrenOf, readProc } from '../../../runner/isolation/proc.ts';
import type { Link } from './link.ts';
import { type Machine, signalIfAlive } from './machine.ts';
import { type Fault, lineOf } from './plan.ts';
import type { Shop } from './shop.ts';

/** How often it is looked whether the shop has come to work after a fault. */
const LOOK_MS = 50;

/**
 * Causes the faults at their times, or later: none before `isReady` says that the shop has come to work after the last one; ends when all have ended, or as soon as it can after `stopping`. `say` gets a line for each. Resolves
 * with what could not be done, which is a fault of the shop or of this program.
 */
export async function causeFaults(
  shop: Shop,
  plan: readonly Fault[],
  say: (line: string) => void,
  stopping: AbortSignal,
  isReady: () => boolean = () => true,
): Promise<string[]> {
  const began = performance.now();
  const undone: string[] = [];
  const underWay: Promise<void>[] = [];
  const wait = (ms: number): Promise<void> => delay(ms, undefined, { signal: stopping }).catch(() => undefined);
  for (const fault of plan) {
    await wait(Math.max(0, fault.atMs - (performance.now() - began)));
    while (!stopping.aborted && !isReady()) await wait(LOOK_MS);
    if (stopping.aborted) break;
    const reason = shop.cannot.get(fault.kind);
    say(`${lineOf(fault)}${reason === undefined ? '' : `  LEFT OUT: ${reason}`}`);
    if (reason !== undefined) continue;
    underWay.push(
      cause(shop, fault, wait).catch((error: unknown) => {
        undone.push(`${lineOf(fault).trim()}: ${String(error)}`);
      }),
    );
  }
  await Promise.all(underWay);
  return undone;
}

/** Ends all faults that may last: processes run, links pass everything, the disk has room, and the clocks are right. */
export async function endFaults(shop: Shop): Promise<void> {
  for (const link of shop.links.values()) heal(link);
  await shop.disk?.free();
  const machines = [...shop.servers, ...shop.runners];
  for (const machine of machines) {
    machine.signal('SIGCONT');
    if (!shop.cannot.has('step_clock')) await machine.setClock(0);
  }
  // The servers first, for a runner that finds none waits for some seconds.
  for (const machine of machines) await machine.start();
}

function heal(link: Link): void {
  link.refuse(false);
  link.slow(0);
  link.loseAnswers(0);
}

type Wait = (ms: number) => Promise<void>;

async function cause(shop: Shop, fault: Fault, wait: Wait): Promise<void> {
  const { kind, forMs, amount } = fault;
  switch (kind) {
    case 'kill_server':
    case 'kill_runner':
      return endMachine(machineOf(shop, fault), 'SIGKILL', forMs, wait);
    case 'end_server':
    case 'end_runner':
      return endMachine(machineOf(shop, fault), 'SIGTERM', forMs, wait);
    case 'kill_worker':
      return killWorker(machineOf(shop, fault), amount);
    case 'pause_server':
    case 'pause_runner': {
      const machine = machineOf(shop, fault);
      machine.signal('SIGSTOP');
      await wait(forMs);
      return machine.signal('SIGCONT');
    }
    case 'step_clock': {
      const machine = machineOf(shop, fault);
      await machine.setClock(amount);
      await wait(forMs);
      return machine.setClock(0);
    }
    case 'cut':
    case 'slow':
    case 'lose_answers':
      return disturb(linkOf(shop, fault), fault, wait);
    case 'full_disk':
      await shop.disk?.fill();
      await wait(forMs);
      return shop.disk?.free();
    case 'kill_database':
      await shop.cluster?.crash();
      await wait(forMs);
      return shop.cluster?.startAgain();
    case 'kill_connection': {
      // PostgreSQL then ends its other processes and starts again by itself.
      const pid = await connectionOf(shop, fault);
      return pid === null ? undefined : signalIfAlive(pid, 'SIGKILL');
    }
    case 'pause_database':
      return pauseConnection(shop, fault, wait);
    default:
      kind satisfies never;
  }
}

function machineOf({ servers, runners }: Shop, { target }: Fault): Machine {
  const found = [...servers, ...runners].find(({ name }) => name === target);
  if (!found) throw new Error(`the shop has no ${target}`);
  return found;
}

function linkOf({ links }: Shop, { target }: Fault): Link {
  const link = links.get(target);
  if (!link) throw new Error(`the shop has no link ${target}`);
  return link;
}

/** A process that is asked to end ends what it has begun, which takes longer while other faults last. */
const END_WITHIN_MS = 90_000;

async function endMachine(machine: Machine, signal: NodeJS.Signals, forMs: number, wait: Wait): Promise<void> {
  const late = new AbortController();
  const timer = delay(END_WITHIN_MS, 'late', { signal: late.signal }).catch(() => null);
  const ended = await Promise.race([machine.stop(signal).then(() => null), timer]);
  late.abort();
  if (ended === 'late') {
    await machine.stop('SIGKILL');
    await machine.start();
    throw new Error(`${machine.name} did not end within ${END_WITHIN_MS / 1000} s of ${signal}`);
  }
  await wait(forMs);
  await machine.start();
}

async function disturb(link: Link, { kind, forMs, amount }: Fault, wait: Wait): Promise<void> {
  if (kind === 'slow') link.slow(amount);
  if (kind === 'lose_answers') link.loseAnswers(amount / 100);
  if (kind === 'cut') {
    link.refuse(forMs > 0);
    link.cut();
  }
  await wait(forMs);
  heal(link);
}

/** Kills one of the runner's workers, or what it is wrapped in. A runner that starts also has a process that bundles the workers' code. */
function killWorker(machine: Machine, number: number): void {
  const runner = machine.pid();
  const workers = runner === null ? [] : childrenOf(runner).filter((pid) => readProc(pid, 'comm')?.trim() !== 'esbuild');
  const worker = workers[number % workers.length];
  if (worker !== undefined) signalIfAlive(worker, 'SIGKILL');
}

/** One of PostgreSQL's processes that serve a connection; null where there is none. */
async function connectionOf({ cluster }: Shop, { amount }: Fault): Promise<number | null> {
  const all = cluster ? childrenOf(await cluster.pid()) : [];
  const serving = all.filter((pid) => readProc(pid, 'cmdline')?.startsWith('postgres: postgres '));
  return serving[amount % serving.length] ?? null;
}

/** Stops a connection of PostgreSQL, and lets it go on later. */
async function pauseConnection(shop: Shop, fault: Fault, wait: Wait): Promise<void> {
  const pid = await connectionOf(shop, fault);
  if (pid === null) return;
  signalIfAlive(pid, 'SIGSTOP');
  await wait(fault.forMs);
  signalIfAlive(pid, 'SIGCONT');
}
