import { fileURLToPath } from 'node:url';
import { spawnWorker, type WorkerProcess } from '../worker-process.ts';
import { bwrapCommand } from './bwrap.ts';
import { makeCgroupPlace } from './cgroup.ts';
import { buildImage, type Image, MAIN, PRELUDE, PROGRAM } from './image.ts';
import { FILTER_FD, findProgram, guard, type Launch, NODE_FLAGS, sourceLaunch } from './launch.ts';
import { LAYERS, type Layer, type Seen } from './layers.ts';
import { look } from './look.ts';
import { type MissingLayer, missingLayers } from './missing.ts';
import { unshareCommand } from './unshare.ts';

/** How workers are started on this machine, and which layers that gives. */
export type Isolation = {
  launch: Launch;
  layers: Layer[];
  missing: MissingLayer[];
  /** The worker that was inspected. It is ready; the caller must use it or kill it. */
  worker: WorkerProcess | null;
};
/** The paths of the programs that make namespaces; null: not installed. */
export type Tools = { bwrap: string | null; unshare: string | null };
export type Way = 'bwrap' | 'unshare' | 'none';
/** One way of starting a worker. `expected`: the layers that the started worker must have. */
export type Attempt = { way: Way; expected: readonly Layer[]; launch: Launch };
export type Failure = { way: Way; expected: readonly Layer[]; problem: string };
type Options = {
  preludePath: string;
  workerMain?: string;
  tools?: Tools;
  /** The user id that workers run as; null: `nobody` where this process is root, else this process's own user. */
  workerUid?: number | null;
  onStderr?: (text: string) => void;
};

const NOBODY = 65534;
const READY_MS = 10_000;
const WORKER_MAIN = fileURLToPath(new URL('../worker/main.ts', import.meta.url));

/**
 * Finds the strongest way of starting workers that works here: tries the ways from the strongest on, starts a real worker in
 * each and inspects it from outside. A layer that is not available is left out alone, and the reason is reported.
 */
export async function chooseIsolation(options: Options): Promise<Isolation> {
  const { preludePath, workerMain, tools = findTools(), workerUid = null, onStderr } = options;
  const failures: Failure[] = [];
  const place = makeCgroupPlace();
  const cgroup = 'folder' in place ? place.folder : null;
  for await (const attempt of attempts({ preludePath, workerMain, tools, workerUid }, failures)) {
    const launch = { ...attempt.launch, cgroup };
    const trial = await tryOut(launch, onStderr);
    if (typeof trial === 'string') {
      failures.push({ ...attempt, problem: trial });
      continue;
    }
    const { worker, seen: result } = trial;
    const lacking = attempt.expected.filter((layer) => result[layer] !== null);
    if (lacking.length > 0) {
      worker.kill();
      failures.push({ ...attempt, problem: lacking.map((layer) => `${layer}: ${result[layer]}`).join('; ') });
      continue;
    }
    if (result.cgroup !== null && 'why' in place) result.cgroup = place.why;
    const layers = LAYERS.filter((layer) => result[layer] === null);
    return { launch, layers, missing: missingLayers(result, attempt.way, tools, failures), worker };
  }
  const launch = sourceLaunch(preludePath, workerMain ?? WORKER_MAIN, workerUid);
  const nothing = Object.fromEntries(LAYERS.map((layer) => [layer, 'no worker starts'])) as Record<Layer, string>;
  return { launch, layers: [], missing: missingLayers(nothing, 'none', tools, failures), worker: null };
}

export function findTools(): Tools {
  return { bwrap: findProgram('bwrap'), unshare: findProgram('setpriv') && findProgram('unshare') };
}

/** The ways of starting a worker, from the strongest to a plain process that runs the source files themselves. */
async function* attempts(
  {
    preludePath,
    workerMain,
    tools,
    workerUid,
  }: { preludePath: string; workerMain: string | undefined; tools: Tools; workerUid: number | null },
  failures: Failure[],
): AsyncGenerator<Attempt> {
  const isRoot = process.getuid?.() === 0;
  let image: Image | undefined;
  try {
    image = await buildImage(preludePath, workerUid ?? (isRoot ? NOBODY : null), workerMain);
  } catch (error) {
    failures.push({ way: 'none', expected: LAYERS, problem: `the worker's folder cannot be made: ${String(error)}` });
  }
  const ways: Way[] = [...(tools.bwrap ? ['bwrap' as const] : []), ...(tools.unshare ? ['unshare' as const] : []), 'none'];
  const users = workerUid !== null ? [workerUid] : isRoot ? [NOBODY, null] : [null];
  for (const way of image ? ways : []) {
    for (const user of users) {
      for (const seccomp of way === 'bwrap' && image?.filter ? [true, false] : [false]) {
        for (const permission of [true, false]) {
          if (image) yield attemptOf(way, { image, user, isRoot, seccomp, permission, tools });
        }
      }
    }
  }
  yield { way: 'none', expected: [], launch: sourceLaunch(preludePath, workerMain ?? WORKER_MAIN, workerUid) };
}

type Parts = { image: Image; user: number | null; isRoot: boolean; seccomp: boolean; permission: boolean; tools: Tools };

function attemptOf(way: Way, { image, user, isRoot, seccomp, permission, tools }: Parts): Attempt {
  const expected: Layer[] = ['process', 'rlimits'];
  if (way !== 'none') expected.push('no_new_privs', 'namespaces', 'network', 'filesystem');
  if (!isRoot || user !== null) expected.push('unprivileged');
  if (seccomp) expected.push('seccomp');
  if (permission) expected.push('permission');
  const inside = way === 'none' ? image.root : '';
  const permissionFlags = ['--permission', '--allow-addons', `--allow-fs-read=${inside}${PROGRAM}/*`];
  const nodeArguments = [...(permission ? permissionFlags : []), ...NODE_FLAGS, `${inside}${MAIN}`, `${inside}${PRELUDE}`];
  const filter = seccomp ? image.filter : null;
  const command = {
    bwrap: () => bwrapCommand(tools.bwrap ?? '', image, filter === null ? null : FILTER_FD, nodeArguments),
    unshare: () => [...guard(), ...unshareCommand(tools.unshare ?? '', image, nodeArguments)],
    none: () => [...guard(), image.node, ...nodeArguments],
  }[way]();
  const launch: Launch = { command, user, filter, wrapped: way !== 'none', cgroup: null };
  return { way, expected, launch };
}

/** Starts a worker and inspects it from outside; returns the reason as text where it did not become ready. */
async function tryOut(launch: Launch, onStderr?: (text: string) => void): Promise<{ worker: WorkerProcess; seen: Seen } | string> {
  let worker: WorkerProcess;
  try {
    worker = spawnWorker(launch, onStderr);
  } catch (error) {
    // Some errors come at once, for example when the user id does not exist in this user namespace.
    return error instanceof Error ? error.message : String(error);
  }
  const ready = new Promise<true>((resolve) => worker.listen({ onMessage: () => resolve(true), onViolation: () => worker.kill() }));
  const timeout = setTimeout(() => worker.kill(), READY_MS);
  const died = worker.ended.then(
    ({ stderr, code, signal }) => lastLine(stderr) ?? `the worker ended before it was ready (${signal ?? code})`,
  );
  const outcome = await Promise.race([ready, died]);
  clearTimeout(timeout);
  if (outcome !== true) return outcome;
  try {
    return { worker, seen: await look(worker.pid, launch.user) };
  } catch (error) {
    worker.kill();
    return `the worker cannot be inspected: ${error instanceof Error ? error.message : error}`.slice(0, 200);
  }
}

/** The line of stderr that tells what went wrong. That is often not the last one, in which Node only names its version. */
function lastLine(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => /error|denied|permitted|bwrap:|unshare:/i.test(line)) ?? lines.at(-1))?.slice(0, 200);
}
