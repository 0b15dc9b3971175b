import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFilesEndpoints } from '../../contract/run-files.ts';
import { runnerEndpoints } from '../../contract/runner.ts';
import { createAnswersTold } from '../../runner/answers-told.ts';
import { ScriptPath } from '../../runner/api-path.ts';
import { createReports, createScriptCalls } from '../../runner/claim-clients.ts';
import type { Answered, Request, ServerClient } from '../../runner/server-client.ts';

const REPLY: Answered = {
  ...{
    status: 200,
    text: '',
    bytes: null,
    contentRange: undefined,
    isJson: true,
    timeMs: null,
    replayed: false,
    epoch: null,
    retryAfterMs: null,
  },
  attempts: 1,
};

function clients() {
  const sent: Request[] = [];
  const take = async (request: Request): Promise<Answered> => {
    sent.push(request);
    return REPLY;
  };
  const client: ServerClient = { request: take, requestUntilAnswered: take, close: async () => undefined };
  const told = createAnswersTold(0);
  return {
    sent,
    calls: createScriptCalls(client, 'call-token', null, told),
    reports: createReports(client, 'report-token', { taskId: 3, runId: 5 }, null, told),
  };
}

test('a script’s calls are sent with the call token, the runner’s reports with the report token', async () => {
  const { sent, calls, reports } = clients();
  await calls.untilAnswered({ method: 'GET', path: new ScriptPath('/orders?page=2'), idempotencyKey: 'k' }, () => true);
  await reports.untilAnswered({ to: reports.target(runnerEndpoints['runner.remember']), body: '{}' }, () => true);
  await reports.once({ to: reports.target(runFilesEndpoints['runner.read_file'], { name: 'a/b?c', query: { offset: 1 } }) });
  assert.deepEqual(
    sent.map(({ method, path, token }) => [method, path, token]),
    [
      ['GET', '/orders?page=2', 'call-token'],
      ['POST', '/runner/runs/5/memory', 'report-token'],
      ['GET', '/runner/runs/5/files/a%2Fb%3Fc?offset=1', 'report-token'],
    ],
  );
});

test('a name from a script is one segment of a report’s path and cannot leave it', () => {
  const { reports } = clients();
  for (const name of ['.', '..', '../../memory', '%2e%2e', '..\\..', '..#', 'a?b', '/']) {
    const { path } = reports.target(runFilesEndpoints['runner.read_file'], { name });
    assert.match(new URL(`http://shop${path}`).pathname, /^\/runner\/runs\/5\/files\/[^/]*$/, name);
  }
});

/** This function is never called. The test is that it compiles, which `npm run verify` checks. */
export async function mixedUp(path: string): Promise<void> {
  const { calls, reports } = clients();
  const place = reports.target(runnerEndpoints['runner.remember']);
  // @ts-expect-error a script's call takes no unchecked path
  await calls.untilAnswered({ method: 'POST', path, idempotencyKey: 'k' }, () => true);
  // @ts-expect-error nor a place of the runner's reports
  await calls.untilAnswered({ method: 'POST', path: place, idempotencyKey: 'k' }, () => true);
  // @ts-expect-error a report takes no path of a script
  await reports.once({ to: new ScriptPath(path) });
  // @ts-expect-error nor one that looks like a place
  await reports.once({ to: { method: 'POST', path } });
}
