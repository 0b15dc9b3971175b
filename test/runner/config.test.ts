import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../runner/config.ts';

test('every setting without a value has a default', () => {
  const config = readConfig({ RUNNER_TOKEN: 'secret' });
  assert.ok(!('problem' in config));
  const { name, ...rest } = config;
  assert.deepEqual(rest, {
    serverUrl: 'http://127.0.0.1:8787',
    runnerToken: 'secret',
    slots: 2,
    isolationRequired: [],
    workerUid: null,
    healthPort: null,
    promptHoldMs: 60_000,
    logLevel: 'info',
    tracing: null,
  });
  assert.match(name, /-\d+$/);
});

const wrong: [Record<string, string>, RegExp][] = [
  [{}, /^RUNNER_TOKEN is required$/],
  [{ RUNNER_TOKEN: 'a b' }, /^RUNNER_TOKEN must consist of printable ASCII characters without blanks/],
  [{ RUNNER_TOKEN: 'run_t' }, /^RUNNER_TOKEN must not begin with run_, as the tokens of runs do$/],
  [{ RUNNER_TOKEN: 't', RUNNER_SLOTS: '0' }, /^RUNNER_SLOTS must be a whole number from 1 to 64$/],
  [{ RUNNER_TOKEN: 't', RUNNER_SLOTS: '65' }, /^RUNNER_SLOTS/],
  [{ RUNNER_TOKEN: 't', RUNNER_SLOTS: '2.5' }, /^RUNNER_SLOTS/],
  [{ RUNNER_TOKEN: 't', RUNNER_WORKER_UID: '0' }, /^RUNNER_WORKER_UID must be the number of a user other than root$/],
  [{ RUNNER_TOKEN: 't', RUNNER_HEALTH_PORT: '65536' }, /^RUNNER_HEALTH_PORT must be a port from 0 to 65535$/],
  [{ RUNNER_TOKEN: 't', RUNNER_HEALTH_PORT: '-1' }, /^RUNNER_HEALTH_PORT/],
  [{ RUNNER_TOKEN: 't', PROMPT_HOLD_SECONDS: '3601' }, /^PROMPT_HOLD_SECONDS must be seconds from 0 to 3600$/],
  [{ RUNNER_TOKEN: 't', PROMPT_HOLD_SECONDS: '-1' }, /^PROMPT_HOLD_SECONDS/],
  [{ RUNNER_TOKEN: 't', SERVER_URL: 'ftp://x' }, /^SERVER_URL must be/],
  [{ RUNNER_TOKEN: 't', SERVER_URL: 'nowhere' }, /^SERVER_URL must be/],
  [{ RUNNER_TOKEN: 't', LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be/],
  [{ RUNNER_TOKEN: 't', RUNNER_ISOLATION_REQUIRED: 'process,walls' }, /^RUNNER_ISOLATION_REQUIRED must list only process, rlimits, /],
  [{ RUNNER_TOKEN: 't', LOG_LEVEL: 'loud', RUNNER_SLOTS: 'x' }, /^RUNNER_SLOTS .*; LOG_LEVEL /],
];

for (const [env, message] of wrong) {
  test(`${JSON.stringify(env)} stops the start with one line that holds no secret`, () => {
    const config = readConfig(env);
    assert.ok('problem' in config);
    assert.match(config.problem, message);
    assert.doesNotMatch(config.problem, /\n|a b/);
  });
}
