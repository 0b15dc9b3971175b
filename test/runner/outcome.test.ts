import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultLimits } from '../../contract/runner.ts';
import { type Cause, outcomeOf } from '../../runner/outcome.ts';
import { spawnWorker } from '../../runner/worker-process.ts';

const exit = (code: number | null, signal: string | null, stderr = ''): Cause => ({ kind: 'exit', code, signal, stderr });
const done = (end_reason: 'completed' | 'script_error' | 'heap'): Cause => ({
  kind: 'done',
  end_reason,
  error_message: end_reason === 'completed' ? null : 'why',
  result: null,
  reusable: true,
});

/** What Node 26 and isolated-vm print in this case. */
const ON_A_HELPER_THREAD = `
<--- Last few GCs --->

[2:0x39916000]     7368 ms: Scavenge (during sweeping) 375.2 (390.0) -> 375.2 (390.0) MB, pooled: 0.0 MB, 0.46 / 0.00 ms (average mu = 0.758, current mu = 0.751) allocation failure;

node: ../src/isolate/environment.h:202: static ivm::IsolateEnvironment& ivm::IsolateEnvironment::GetCurrent(): Assertion \`environment != nullptr' failed.
`;

type Row = [name: string, cause: Cause, status: string, endReason: string, message: RegExp | null];
const table: Row[] = [
  ['a script that ends', done('completed'), 'success', 'completed', null],
  ['a script that throws', done('script_error'), 'failed', 'script_error', /^why$/],
  ['a full heap, told by the worker', done('heap'), 'failed', 'heap', /^why$/],
  ['CPU time', { kind: 'cpu', seconds: 30 }, 'failed', 'cpu', /30 s of CPU/],
  ['wall time', { kind: 'wall', seconds: 900 }, 'timed_out', 'wall', /900 s/],
  ['resident memory', { kind: 'memory', mebibytes: 512 }, 'failed', 'heap', /512 MiB/],
  ['a spent budget', { kind: 'budget', budget: 'writes', limit: '20' }, 'interrupted', 'budget', /budget writes of 20/],
  ['another write than before', { kind: 'resume_mismatch', message: 'both' }, 'interrupted', 'resume_mismatch', /both/],
  ['a stopped runner', { kind: 'drained' }, 'interrupted', 'drained', /stopped/],
  ['a bad frame', { kind: 'violation', message: 'bad' }, 'failed', 'sandbox', /bad/],
  ['no worker', { kind: 'no_worker', message: 'none' }, 'interrupted', 'lost_worker', /none/],
  [
    'V8 out of memory',
    exit(null, 'SIGABRT', 'FATAL ERROR: Reached heap limit - JavaScript heap out of memory'),
    'failed',
    'heap',
    /memory/,
  ],
  ['V8 out of memory by trap', exit(null, 'SIGTRAP', '# Fatal process out of memory: Zone'), 'failed', 'heap', /memory/],
  ['V8 out of memory on a helper thread', exit(null, 'SIGABRT', ON_A_HELPER_THREAD), 'failed', 'heap', /memory/],
  ['V8 out of memory seen by a shell', exit(134, null, 'Allocation failed'), 'failed', 'heap', /memory/],
  ['killed from outside', exit(null, 'SIGKILL'), 'interrupted', 'lost_worker', /SIGKILL/],
  ['terminated from outside', exit(null, 'SIGTERM'), 'interrupted', 'lost_worker', /SIGTERM/],
  ...(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGPIPE'] as const).map(
    (signal): Row => [`${signal} from outside`, exit(null, signal), 'interrupted', 'lost_worker', new RegExp(signal)],
  ),
  [
    'the init of a namespace by unshare killed from outside',
    exit(1, null, 'unshare: sigprocmask unblock failed: Invalid argument'),
    'interrupted',
    'lost_worker',
    /SIGKILL/,
  ],
  ['a forbidden system call', exit(null, 'SIGSYS'), 'failed', 'sandbox', /SIGSYS/],
  ['an uncaught error of the worker', exit(1, null, 'Error: why\n\nNode.js v26'), 'failed', 'sandbox', /exit code 1/],
  ['a crash', exit(null, 'SIGSEGV'), 'failed', 'sandbox', /SIGSEGV/],
  ['an abort without a word of memory', exit(null, 'SIGABRT', 'Check failed'), 'failed', 'sandbox', /SIGABRT/],
  ['a worker that leaves', exit(0, null), 'failed', 'sandbox', /exit code 0/],
];

for (const [name, cause, status, endReason, message] of table) {
  test(`${name} ends ${status}, ${endReason}`, () => {
    const outcome = outcomeOf(cause, { limits: defaultLimits, limits_max: {} });
    assert.equal(outcome.status, status);
    assert.equal(outcome.end_reason, endReason);
    if (message) assert.match(outcome.error_message ?? '', message);
    else assert.equal(outcome.error_message, null);
  });
}

test('an exit code with which bwrap reports a signal is read as that signal', async () => {
  const told = async (code: number) => {
    const command = ['/bin/sh', '-c', `exit ${code}`];
    const { signal } = await spawnWorker({ command, user: null, filter: null, wrapped: true, cgroup: null }).ended;
    return signal;
  };
  assert.deepEqual(await Promise.all([134, 133, 139, 137, 1].map(told)), ['SIGABRT', 'SIGTRAP', 'SIGSEGV', 'SIGKILL', null]);
});
