import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOne } from './run-one.ts';
import { problem } from './shop-double.ts';

const ARTIFACT = {
  id: 3,
  name: 'a.txt',
  content_type: 'text/plain',
  size_bytes: 6,
  sha256: 'ab'.repeat(32),
  created_at: '2026-02-01T00:00:00.000Z',
};
const HELP = `
  const block = (offset, text, more = {}) =>
    call('file_write', { write: 1, name: 'a.txt', content_type: 'text/plain', size: 6, offset, data: btoa(text), ...more });
`;
const isArtifact = ({ path }: { path: string }) => path.endsWith('/artifacts');

test('all blocks of a file are sent as the body of one request, and the last block gets its answer', async () => {
  const { seen, events, claim } = await runOne(
    `${HELP} log(JSON.stringify([await block(0, 'abc'), await block(3, 'def')].map(({ value, now_ms }) => [value, now_ms])))`,
    { answer: (request) => (isArtifact(request) ? { status: 201, body: ARTIFACT } : undefined) },
  );
  const sent = seen.filter(isArtifact);
  assert.equal(sent.length, 1);
  assert.deepEqual([sent[0]?.path, sent[0]?.token], [`/runner/runs/${claim.run.id}/artifacts`, `Bearer ${claim.report_token}`]);
  assert.match(sent[0]?.body ?? '', /name="file"; filename\*=UTF-8''a\.txt\r\nContent-Type: text\/plain\r\n\r\nabcdef\r\n--/);
  assert.deepEqual(
    events.find(({ kind }) => kind === 'log')?.['line'],
    JSON.stringify([[null], [ARTIFACT, Date.parse(ARTIFACT.created_at)]]).replace('[null]', '[null,null]'),
  );
});

test('if the request is lost, the script is asked to send the whole file again', async () => {
  let tries = 0;
  const { seen, events } = await runOne(
    `${HELP} const answers = [];
     for (let n = 1; n <= 3; n++) { await block(0, 'abc', { write: n }); answers.push((await block(3, 'def', { write: n })).value); }
     log(JSON.stringify(answers.map((one) => one.again ?? one.id)))`,
    {
      answer(request) {
        if (!isArtifact(request)) return undefined;
        tries += 1;
        if (tries === 1) return 'drop';
        return tries === 2 ? problem(503, 'busy') : { status: 201, body: ARTIFACT };
      },
    },
  );
  assert.equal(events.find(({ kind }) => kind === 'log')?.['line'], '[true,true,3]');
  assert.equal(seen.filter(isArtifact).length, 3);
});

test('a refusal is thrown in the script; a missing permission is named and logged', async () => {
  let tries = 0;
  const { events } = await runOne(
    `${HELP} for (const write of [1, 2]) try { await block(0, 'abcdef', { write }) } catch (e) { log(e.name + '|' + e.message + '|' + e.code) }`,
    {
      answer(request) {
        if (!isArtifact(request)) return undefined;
        tries += 1;
        return tries === 1 ? problem(403, 'forbidden', { required_permission: 'file_download' }) : problem(402, 'storage_cap_exceeded');
      },
    },
  );
  assert.deepEqual(
    events.filter(({ kind }) => kind !== 'finalize').map(({ line, status }) => line ?? status),
    [
      403,
      'PermissionError|files.write("a.txt") needs the permission file_download|forbidden',
      'AdminApiError|files.write("a.txt"): detail of storage_cap_exceeded|storage_cap_exceeded',
    ],
  );
});

test('blocks in the wrong order, and hostile names and content types, never become a file', async () => {
  const { seen, finalize } = await runOne(
    `${HELP} const refused = [];
     const tried = [
       () => block(3, 'def'), () => block(0, 'abcdefg', { write: 2 }), () => block(0, '', { write: 3 }),
       () => block(0, 'abc', { content_type: 'text/plain\\r\\nX: y' }), () => block(0, 'abc', { name: '' }),
       () => block(0, 'abc', { data: 'not base64!' }), () => block(0, 'abc', { size: -1 }), () => block(-1, 'abc'),
       () => block(0, 'abc', { data: 'A'.repeat(2_000_000) }),
     ];
     for (const one of tried) await one().catch((e) => refused.push(e.message));
     if (refused.length !== tried.length) throw new Error('only ' + refused.join());`,
  );
  assert.equal(finalize?.['error_message'], null);
  assert.deepEqual(seen.filter(isArtifact), []);
});

test('a worker may write at most 16 files at the same time', async () => {
  const { finalize } = await runOne(
    `${HELP} const answers = await Promise.allSettled(Array.from({ length: 17 }, (_, n) => block(0, 'abc', { write: n + 1 })));
     return answers.filter(({ status }) => status === 'rejected').length;`,
  );
  assert.equal(finalize?.['result'], 1);
});
