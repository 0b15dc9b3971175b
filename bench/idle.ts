import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectShop } from '../cli/remote-shop.ts';
import project from '../package.json' with { type: 'json' };
import { childrenOf, readProc } from '../runner/isolation/proc.ts';
import { buildMissingApp, buildMissingConsole } from '../scripts/missing-builds.ts';
import { TOKEN } from './backroom.ts';
import { median, type Row, row } from './report.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BARE = fileURLToPath(new URL('./bare-server.ts', import.meta.url));
const STARTS = 5;
/** After its start a process frees memory; what it has then is what it keeps while nothing happens. */
const SETTLED_MS = 20_000;

type Shop = { pid: number; readyMs: number; url: string; stop(): Promise<void> };

/**
 * Measures `npm start`, without npm itself: the time until `/readyz` answers on a new and on an existing store, the time of the first run
 * after that, and the memory of each process when nothing happens. The baselines are a process that answers every request with the same
 * bytes, and the memory of a Node.js that does nothing.
 */
export async function measureIdle(): Promise<Row[]> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  await buildMissingApp(say);
  await buildMissingConsole(say);
  const fresh: number[] = [];
  const existing: number[] = [];
  const firstRun: number[] = [];
  const bare: number[] = [];
  let idle: Memory | undefined;
  for (let n = 0; n < STARTS; n++) {
    const folder = mkdtempSync(join(tmpdir(), 'backroom-idle-'));
    try {
      bare.push(await bareStartMs());
      const first = await startShop(folder);
      await first.stop();
      const second = await startShop(folder);
      firstRun.push(await firstRunMs(second.url));
      if (n === STARTS - 1) {
        await delay(SETTLED_MS);
        idle = memoryOf(second.pid);
      }
      await second.stop();
      fresh.push(first.readyMs);
      existing.push(second.readyMs);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  const node = await bareMemoryMib();
  const mib = (name: string, figure: number, most: number): Row =>
    row({ name: `idle memory: ${name}`, figure, unit: 'MiB', baseline: node, figureBound: { most } });
  const ms = (name: string, figures: readonly number[], most: number): Row =>
    row({ name, figure: median(figures), unit: 'ms', baseline: median(bare), figureBound: { most } });
  return [
    ms('start → /readyz, an existing store', existing, 700),
    ms('start → /readyz, a new store', fresh, 1500),
    ms('the first run after /readyz', firstRun, 300),
    ...(idle
      ? [
          mib('server', idle.server, 110),
          mib('runner', idle.runner, 70),
          mib('a standby worker', median(idle.workers), 45),
          mib('starter, private', idle.starter, 10),
          mib(`all, shared pages once (${idle.workers.length} workers)`, idle.all, 250),
        ]
      : []),
  ];
}

/** Starts the shop; its first answer of `/readyz` with 200 ends the time. */
async function startShop(folder: string): Promise<Shop> {
  const began = performance.now();
  const env = { ...process.env, DATA_DIR: folder, PORT: '0', BOOTSTRAP_ADMIN_TOKEN: TOKEN, LOG_LEVEL: 'info' };
  const [, ...command] = project.scripts.start.split(' ');
  const child = spawn(process.execPath, command, {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const url = /"url":"(http[^"]+)".*"msg":"listening"/.exec(line)?.[1];
    if (url) resolve(url);
  });
  const exited = once(child, 'exit');
  void exited.then(() => reject(new Error('npm start ended before it listened')));
  const url = await promise;
  while (!(await fetch(`${url}/readyz`)).ok) await delay(5);
  const readyMs = performance.now() - began;
  return {
    pid: child.pid ?? 0,
    readyMs,
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** From the request that opens it to its end, where the runner may not have started yet. */
async function firstRunMs(url: string): Promise<number> {
  const { ai_tasks: tasks } = connectShop(url, TOKEN).client;
  const { task_id: taskId } = await tasks.create({
    name: 'first',
    description: '',
    source_code: "log('first');",
    permissions: [],
    parameters: [],
  });
  const began = performance.now();
  const { run_id: runId } = await tasks.start_run(taskId, {});
  while ((await tasks.get_run(taskId, runId)).status === 'running') await delay(5);
  return performance.now() - began;
}

async function bareStartMs(): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', BARE, '200', '{}'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  await (await fetch(JSON.parse(String(line)))).text();
  const took = performance.now() - began;
  child.kill();
  await once(child, 'exit');
  return took;
}

async function bareMemoryMib(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6); console.log()'], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const mib = memory(child.pid ?? 0, 'Rss');
  child.kill();
  await once(child, 'exit');
  return mib;
}

type Memory = { server: number; runner: number; workers: number[]; starter: number; all: number };

function memoryOf(starter: number): Memory {
  const all = below(starter);
  const one = (program: string): number => {
    const found = all.find((pid) => commandOf(pid).includes(`run.js ${program}`));
    if (found === undefined) throw new Error(`no ${program} runs`);
    return memory(found, 'Rss');
  };
  return {
    server: one('server/main'),
    runner: one('runner/main'),
    workers: all.filter((pid) => /^\S*node .*worker\.js/.test(commandOf(pid))).map((pid) => memory(pid, 'Rss')),
    starter: memory(starter, 'Private_Clean') + memory(starter, 'Private_Dirty'),
    all: [starter, ...all].reduce((sum, pid) => sum + memory(pid, 'Pss'), 0),
  };
}

/** All processes that descend from this one. */
function below(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...below(child)]);
}

const commandOf = (pid: number): string => readProc(pid, 'cmdline')?.replaceAll('\0', ' ') ?? '';

/** A field of `smaps_rollup`, in MiB. */
function memory(pid: number, name: string): number {
  const kib = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readProc(pid, 'smaps_rollup') ?? '')?.[1];
  return Number(kib ?? Number.NaN) / 1024;
}
