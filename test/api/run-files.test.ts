import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { FILE_BLOCK_MAX_BYTES } from '../../contract/run-files.ts';
import { onBothStores, RUNNER_TOKEN } from '../helpers/app.ts';
import { makeFile } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, emptyQueue, lapse, makeTask, openRun } from '../helpers/runs.ts';

const PARAMETERS = [
  { name: 'counts', kind: 'file', required: true },
  { name: 'more', kind: 'file' },
  { name: 'note', kind: 'string' },
];

onBothStores('files in parameters of a run', (app) => {
  const upload = (content: string | Uint8Array<ArrayBuffer>, filename = 'counts.csv') =>
    app().client.files.create({ file: { filename, content, content_type: 'text/csv' } });
  const task = (permissions: string[] = ['file_upload']) =>
    makeTask(app(), { permissions, parameters: PARAMETERS }, { on_interrupt: 'resume' });
  const runWith = async (parameters: Record<string, number | string>, permissions?: string[]) =>
    claimedRun(app(), { parameters }, await task(permissions));
  const read = ({ runId, claim }: ClaimedRun, name: string, query = '', token: string = claim.report_token) =>
    app().request({ path: `/admin/api/runner/runs/${runId}/files/${name}${query}`, token });

  test('SF8: a run reads the file that a parameter names in blocks, unchanged', async () => {
    const { id } = await upload('sku;pieces\nA;1\n');
    const run = await runWith({ counts: id });
    const whole = await read(run, 'counts');
    assert.deepEqual([whole.status, whole.text, whole.headers['content-range']], [200, 'sku;pieces\nA;1\n', 'bytes 0-14/15']);
    assert.equal(whole.headers['content-type'], 'application/octet-stream');
    assert.equal(whole.headers['x-content-type-options'], 'nosniff');
    const part = await read(run, 'counts', '?offset=4&length=6');
    assert.deepEqual([part.text, part.headers['content-range']], ['pieces', 'bytes 4-9/15']);
    const tail = await read(run, 'counts', '?offset=11&length=100');
    assert.deepEqual([tail.text, tail.headers['content-range']], ['A;1\n', 'bytes 11-14/15']);
    const past = await read(run, 'counts', '?offset=15');
    assert.deepEqual([past.status, past.text, past.headers['content-range']], [200, '', 'bytes */15']);
    assert.deepEqual(codeOf(await read(run, 'counts', '?offset=16')), [422, 'out_of_range']);
    assert.deepEqual(codeOf(await read(run, 'counts', `?length=${FILE_BLOCK_MAX_BYTES + 1}`)), [422, 'out_of_range']);
  });

  test('SF8: an empty file and one larger than a block', async () => {
    const [empty, large] = [await upload(''), await upload(new Uint8Array(FILE_BLOCK_MAX_BYTES + 10).fill(120))];
    const run = await runWith({ counts: empty.id, more: large.id });
    assert.deepEqual([(await read(run, 'counts')).text, (await read(run, 'counts')).headers['content-range']], ['', 'bytes */0']);
    assert.equal((await read(run, 'more')).text.length, FILE_BLOCK_MAX_BYTES);
    assert.equal((await read(run, 'more', `?offset=${FILE_BLOCK_MAX_BYTES}`)).text, 'x'.repeat(10));
  });

  test('SF8: it needs file_upload, which the refusal names and the version shows as used', async () => {
    const { id } = await upload('a');
    const without = await runWith({ counts: id }, ['file_download']);
    const answer = await read(without, 'counts');
    assert.deepEqual(codeOf(answer), [403, 'forbidden']);
    assert.match(answer.text, /"required_permission":"file_upload"/);
    const run = await runWith({ counts: id }, ['file_upload', 'file_download']);
    await read(run, 'counts');
    const version = await app().client.ai_tasks.get_version(run.taskId, run.claim.version.id);
    assert.deepEqual(version.permissions_used, ['file_upload']);
  });

  test('SF8: a run reads only files of its declared file parameters, and no other run reads them', async () => {
    const { id } = await upload('mine');
    const run = await runWith({ counts: id, note: 'x', undeclared: id });
    for (const name of ['note', 'more', 'undeclared', String(id), '%2E%2E', 'x'.repeat(500)]) {
      assert.deepEqual(codeOf(await read(run, name)), [404, 'not_found'], name);
    }
    const other = await runWith({ counts: id });
    assert.deepEqual(codeOf(await read(run, 'counts', '', other.claim.report_token)), [403, 'forbidden']);
    assert.deepEqual(codeOf(await read(run, 'counts', '', RUNNER_TOKEN)), [403, 'forbidden']);
  });

  test('SF8: reading a deleted file, or one whose bytes are lost, is refused with the reason', async () => {
    const [gone, lost] = [await upload('a'), await makeFile(app())];
    const run = await runWith({ counts: gone.id, more: lost.id });
    await app().client.files.delete(gone.id);
    const kept = await readdir(app().filesDir, { recursive: true });
    await rm(join(app().filesDir, kept.find((path) => path.endsWith(lost.storage_key)) ?? assert.fail('its bytes are nowhere')));
    const answer = await read(run, 'counts');
    assert.deepEqual(codeOf(answer), [404, 'not_found']);
    assert.match(answer.text, new RegExp(`File ${gone.id}, which the parameter \\\\"counts\\\\" names, no longer exists`));
    assert.match((await read(run, 'more')).text, /is not in the file store/);
  });

  test('SF8, RU6: the next attempt reads the same bytes; after the claim has ended reads are fenced', async () => {
    const { id } = await upload('same');
    await emptyQueue(app());
    const run = await runWith({ counts: id });
    assert.equal((await read(run, 'counts')).text, 'same');
    await app().client.files.update(id, { original_filename: 'renamed.csv' });
    await lapse(app(), run);
    const again = { ...run, ...(await claimRun(app(), run)) };
    assert.equal((await read(again, 'counts')).text, 'same');
    assert.deepEqual(codeOf(await read(run, 'counts')), [409, 'run_fenced']);
    await app().client.ai_tasks.cancel_run(run.taskId, run.runId);
    assert.deepEqual(codeOf(await read(again, 'counts')), [409, 'run_fenced']);
  });

  test('RU1: a file parameter must name an existing file, and a required one must be sent', async () => {
    const { id } = await upload('a');
    const taskId = await task();
    const start = (parameters: Record<string, unknown>) =>
      app().request({ method: 'POST', path: `/admin/api/ai-tasks/${taskId}/runs`, body: { parameters } });
    for (const [parameters, code, pointer] of [
      [{ counts: 999_999 }, 'file_not_found', '/parameters/counts'],
      [{ counts: id, more: 999_999 }, 'file_not_found', '/parameters/more'],
      [{ counts: 'x.csv' }, 'invalid_type', '/parameters/counts'],
      [{ counts: [id] }, 'invalid_type', '/parameters/counts'],
      [{ counts: -1 }, 'invalid_type', '/parameters/counts'],
      [{ counts: 1.5 }, 'invalid_type', '/parameters/counts'],
      [{}, 'required', '/parameters/counts'],
    ] as const) {
      const answer = await start(parameters);
      assert.deepEqual(codeOf(answer), [422, code], JSON.stringify(parameters));
      assert.match(answer.text, new RegExp(`"pointer":"${pointer}"`));
    }
    assert.equal((await start({ counts: id, more: null })).status, 201);
  });

  test('RU1: a resumed run keeps its parameters even if the file was deleted; new parameters are checked', async () => {
    const { id } = await upload('a');
    const run = await claimedRun(app(), { parameters: { counts: id } }, await makeTask(app(), { parameters: PARAMETERS }));
    await app().client.files.delete(id);
    await lapse(app(), run);
    const resume = { resume_run_id: run.runId };
    await refused(openRun(app(), { ...resume, parameters: { counts: id } }, run.taskId), 422, 'file_not_found');
    const { runId } = await openRun(app(), resume, run.taskId);
    assert.equal((await app().client.ai_tasks.get_run(run.taskId, runId)).parameters, JSON.stringify({ counts: id }));
  });

  test('RU1: an admin may use a file as a parameter that they uploaded, or any file with admin_api.files.read', async () => {
    const { client, clientFor } = app();
    const sold = await upload('sold');
    const taskId = await task();
    const clerk = clientFor((await person(app(), { permissions: ['admin_api.ai_tasks.write'] })).token);
    const start = (parameters: Record<string, number>) => clerk.ai_tasks.start_run(taskId, { parameters });
    for (const parameters of [{ counts: sold.id }, { counts: 999_999 }, { counts: (await makeFile(app())).id }]) {
      const error = await refused(start(parameters), 403, 'forbidden');
      assert.equal(error.problem?.['required_permission'], 'admin_api.files.read');
      assert.match(error.message, /The parameter "counts" names file \d+, which admin \d+ did not upload/);
    }
    const path = `/admin/api/ai-tasks/${taskId}/runs`;
    const narrow = await client.me.create_token({ name: 'narrow', permissions: ['admin_api.ai_tasks.write'] });
    const raw = await app().request({ method: 'POST', path, body: { parameters: { counts: 999_999 } }, token: narrow.token ?? '' });
    assert.deepEqual([raw.status, raw.headers['x-required-permission']], [403, 'admin_api.files.read']);

    const uploader = await person(app(), { permissions: ['admin_api.ai_tasks.write', 'admin_api.files.write'] });
    const theirs = await clientFor(uploader.token).files.create({ file: { filename: 'mine.csv', content: 'x' } });
    assert.equal(theirs.uploaded_by, uploader.adminId);
    await client.admins.update(uploader.adminId, { permissions: ['admin_api.ai_tasks.write'] });
    await clientFor(uploader.token).ai_tasks.start_run(taskId, { parameters: { counts: theirs.id } });
    await refused(clientFor(uploader.token).ai_tasks.start_run(taskId, { parameters: { counts: sold.id } }), 403, 'forbidden');
    await refused(start({ counts: theirs.id }), 403, 'forbidden');
    await client.ai_tasks.start_run(taskId, { parameters: { counts: theirs.id } });
    const byDefault = await makeTask(app(), { parameters: [{ name: 'counts', kind: 'file', default: sold.id }] });
    await refused(clerk.ai_tasks.start_run(byDefault, {}), 403, 'forbidden');
    await client.ai_tasks.start_run(byDefault, {});
  });

  test('RU1: an author may use as a default only a file that they uploaded or may read', async () => {
    const { client, clientFor } = app();
    const sold = await upload('sold');
    const author = await person(app(), { permissions: ['admin_api.ai_tasks.write', 'file_upload', 'admin_api.files.write'] });
    const { ai_tasks } = clientFor(author.token);
    const version = (id: number) => ({
      source_code: 'export default () => files.text("f")',
      permissions: ['file_upload' as const],
      parameters: [{ name: 'f', kind: 'file', default: id }],
    });
    const taskId = await makeTask(app(), { permissions: ['file_upload'] });
    const staff = clientFor((await person(app(), { permissions: ['admin_api.ai_tasks.write', 'file_upload'] })).token);
    await refused(staff.ai_tasks.create_version(taskId, version(sold.id)), 403, 'forbidden');
    await refused(staff.ai_tasks.create({ name: 'a task', description: '', ...version(sold.id) }), 403, 'forbidden');
    // An unknown id gets the same refusal, so that it does not show which files exist. Only one who may read files gets file_not_found.
    await refused(staff.ai_tasks.create_version(taskId, version(sold.id + 1000)), 403, 'forbidden');
    await refused(client.ai_tasks.create_version(taskId, version(sold.id + 1000)), 422, 'file_not_found');
    await ai_tasks.create_version(taskId, version(sold.id));
    const { version_id } = await client.ai_tasks.create_version(taskId, version(sold.id));
    assert.equal((await client.ai_tasks.get(taskId)).task.current_version_id, version_id);
  });

  test('RU1: resuming or replaying a run with a file needs the right to use that file', async () => {
    const { client, clientFor } = app();
    const { id } = await upload('sold');
    const clerk = clientFor((await person(app(), { permissions: ['admin_api.ai_tasks.write', 'file_upload'] })).token);
    const run = await claimedRun(
      app(),
      { parameters: { counts: id } },
      await makeTask(app(), { permissions: ['file_upload'], parameters: PARAMETERS }),
    );
    await lapse(app(), run);
    const resume = { resume_run_id: run.runId };
    await refused(clerk.ai_tasks.start_run(run.taskId, resume), 403, 'forbidden');
    await client.ai_tasks.start_run(run.taskId, resume);

    // For the first version the id is just a number. The next version declares the parameter as a file, so the right is needed.
    const early = await claimedRun(
      app(),
      { parameters: { counts: id }, record: true },
      await makeTask(app(), { permissions: ['file_upload'] }),
    );
    const version = { source_code: 'log(1)', permissions: ['file_upload' as const], parameters: PARAMETERS };
    const { version_id } = await clerk.ai_tasks.create_version(early.taskId, version);
    await lapse(app(), early);
    await refused(clerk.ai_tasks.start_run(early.taskId, { resume_run_id: early.runId, version: 'current' }), 403, 'forbidden');
    await refused(clerk.replays.start(early.taskId, early.runId, { version_id }), 403, 'forbidden');
    await clerk.replays.start(early.taskId, early.runId);
    await client.replays.start(early.taskId, early.runId, { version_id });
    await emptyQueue(app());
  });

  test('TK9: order_ids, customer_ids and product_ids take lists of up to 10,000 ids', async () => {
    for (const kind of ['order_ids', 'customer_ids', 'product_ids']) {
      const taskId = await makeTask(app(), { parameters: [{ name: 'chosen', kind }] });
      for (const chosen of ['1', 1, [0], [1.5], ['1'], [null], { 0: 1 }, Array.from({ length: 10_001 }, (_, n) => n + 1)]) {
        await refused(openRun(app(), { parameters: { chosen } }, taskId), 422, 'invalid_type');
      }
      for (const chosen of [[], [1, 2], Array.from({ length: 10_000 }, (_, n) => n + 1)]) {
        await openRun(app(), { parameters: { chosen } }, taskId);
      }
    }
    await emptyQueue(app());
  });
});
