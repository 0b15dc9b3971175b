import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectShop } from '../cli/remote-shop.ts';
import { buildMissingApp, buildMissingConsole } from '../ops/missing-builds.ts';
import project from '../package.json' with { type: 'json' };
import { readProc } from '../runner/isolation/proc.ts';
import { openStore } from '../server/db/open.ts';
import { soak } from '../test/torture/soak/soak.ts';
import { TOKEN } from './backroom.ts';
import { familyMib, familyOf, memoryMib, peakMibDuring } from './process-memory.ts';
import { median, type Row, row } from './report.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BARE = fileURLToPath(new URL('./bare-server.ts', import.meta.url));
const STARTS = 5;
/** After its start a process frees memory; what it has then is what it keeps while nothing happens. */
const SETTLED_MS = 20_000;
/** As many as `npm run soak` lets work, for as long. */
const SOAK = { clients: 32, seconds: 30, seed: 1 };

type Shop = { pid: number; readyMs: number; url: string; stop(): Promise<void> };

/**
 * Measures `npm start`, without npm itself: the time until `/readyz` answers on a new and on an existing store, the time of the first run
 * after that, the memory of each process when nothing happens, and the most that all have while the clients of `npm run soak` work. The
 * baselines are a process that answers every request with the same bytes, and the memory of a Node.js that does nothing.
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
  let soakMib = Number.NaN;
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
        soakMib = await peakMibDuring(second.pid, () => soakShop(second.url, folder));
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
    row({ name, figure, unit: 'MiB', baseline: node, figureBound: { most } });
  const ms = (name: string, figures: readonly number[], most: number): Row =>
    row({ name, figure: median(figures), unit: 'ms', baseline: median(bare), figureBound: { most } });
  return [
    ms('start → /readyz, an existing store', existing, 700),
    ms('start → /readyz, a new store', fresh, 1500),
    ms('the first run after /readyz', firstRun, 300),
    ...(idle
      ? [
          mib('idle memory: server', idle.server, 110),
          mib('idle memory: runner', idle.runner, 70),
          mib('idle memory: a standby worker', median(idle.workers), 45),
          mib('idle memory: starter, private', idle.starter, 10),
          mib(`idle memory: all, shared pages once (${idle.workers.length} workers)`, idle.all, 250),
          mib('memory under the soak: all, shared pages once, at most', soakMib, 250),
        ]
      : []),
  ];
}

/** Starts the shop; its first answer of `/readyz` with 200 ends the time. */
async function startShop(folder: string): Promise<Shop> {
  const began = performance.now();
  const env = { ...process.env, DATA_DIR: folder, PORT: '0', BOOTSTRAP_ADMIN_TOKEN: TOKEN, RATE_LIMIT: '0', LOG_LEVEL: 'info' };
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
  const mib = memoryMib(child.pid ?? 0, 'Rss');
  child.kill();
  await once(child, 'exit');
  return mib;
}

type Memory = { server: number; runner: number; workers: number[]; starter: number; all: number };

function memoryOf(starter: number): Memory {
  const all = familyOf(starter);
  const one = (program: string): number => {
    const found = all.find((pid) => commandOf(pid).includes(`run.js ${program}`));
    if (found === undefined) throw new Error(`no ${program} runs`);
    return memoryMib(found, 'Rss');
  };
  return {
    server: one('server/main'),
    runner: one('runner/main'),
    workers: all.filter((pid) => /^\S*node .*worker\.js/.test(commandOf(pid))).map((pid) => memoryMib(pid, 'Rss')),
    starter: memoryMib(starter, 'Private_Clean') + memoryMib(starter, 'Private_Dirty'),
    all: familyMib(starter),
  };
}

const commandOf = (pid: number): string => readProc(pid, 'cmdline')?.replaceAll('\0', ' ') ?? '';

/** Lets the clients of `npm run soak` work in the shop, and checks its books. */
async function soakShop(url: string, folder: string): Promise<void> {
  const store = openStore({ url: join(folder, 'backroom.db'), poolSize: 2 });
  try {
    const { ledger, checks } = await soak({ url, token: TOKEN, store, ...SOAK });
    const faults = [...ledger.faults, ...checks.flatMap((check) => check.faults)];
    if (faults.length > 0) throw new Error(`the soak found ${faults.length} faults: ${faults[0]}`);
  } finally {
    await store.close();
  }
}
