import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runOne } from './run-one.ts';
import { problem } from './shop-double.ts';

const READ = `log(JSON.stringify(await call('file_read', { name: 'counts', offset: 3 })))`;
const lines = (events: readonly Record<string, unknown>[]) => events.filter(({ kind }) => kind === 'log').map(({ line }) => line);
const content = (text: string, range: string) => ({
  status: 200,
  body: text,
  headers: { 'content-type': 'application/octet-stream', 'content-range': range },
});

test('file_read requests a part of the run’s own file with its report token, and returns it as base64', async () => {
  const { seen, events, claim } = await runOne(READ, {
    answer: ({ path }) => (path.includes('/files/') ? content('abc', 'bytes 3-7/8') : undefined),
  });
  const asked = seen.find(({ path }) => path.includes('/files/'));
  assert.equal(asked?.path, `/runner/runs/${claim.run.id}/files/counts?offset=3&length=2097152`);
  assert.equal(asked?.token, `Bearer ${claim.report_token}`);
  const data = Buffer.from('"abc"').toString('base64');
  assert.deepEqual(lines(events), [JSON.stringify({ value: { size: 8, data } })]);
});

test('a file larger than half of the heap is refused, and the error says how much may be read', async () => {
  const { events, finalize } = await runOne(READ, {
    claim: { limits: { heap_mib: 16 } },
    answer: ({ path }) => (path.includes('/files/') ? content('abc', 'bytes 3-7/8388609') : undefined),
  });
  assert.match(String(finalize?.['error_message']), /the file has 8388609 bytes; with a heap of 16 MiB at most 8388608 can be read/);
  assert.deepEqual(lines(events), []);
});

test('a missing permission throws a PermissionError that names it, and is logged; a missing file is not logged', async () => {
  const { events } = await runOne(
    `for (const name of ['a', 'b']) try { await call('file_read', { name, offset: 0 }) } catch (e) { log(e.name + '|' + e.message) }`,
    {
      answer({ path }) {
        if (path.includes('/files/a')) return problem(403, 'forbidden', { required_permission: 'file_upload' });
        return path.includes('/files/b') ? problem(404, 'not_found') : undefined;
      },
    },
  );
  assert.deepEqual(lines(events), [
    'PermissionError|files.read("a") needs the permission file_upload',
    'AdminApiError|files.read("b"): detail of not_found',
  ]);
  assert.deepEqual(
    events.filter(({ kind }) => kind === 'admin_api').map(({ method, status }) => [method, status]),
    [['GET', 403]],
  );
});

test('reading a file counts as a host call; hostile names and offsets are never sent to the server', async () => {
  const { seen, finalize } = await runOne(
    `for (const payload of [{ name: '', offset: 0 }, { name: 'x'.repeat(65), offset: 0 }, { name: 'a', offset: -1 }, { name: 'a', offset: 0.5 }, { offset: 0 }, { name: '../../me', offset: 0 }])
       await call('file_read', payload).catch(() => {});
     await call('file_read', { name: 'a', offset: 0 });
     await call('file_read', { name: 'a', offset: 0 });`,
    {
      claim: { limits: { host_calls: 2 } },
      answer: ({ path }) => (path.includes('/files/') ? content('', 'bytes */0') : undefined),
    },
  );
  assert.deepEqual(
    seen.filter(({ path }) => path.includes('/files/')).map(({ path }) => path.split('/').at(-1)),
    ['..%2F..%2Fme?offset=0&length=2097152', 'a?offset=0&length=2097152'],
  );
  assert.equal(finalize?.['end_reason'], 'budget');
});
