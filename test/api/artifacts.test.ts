import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { FormData } from 'undici';
import { z } from 'zod';
import { Artifact } from '../../contract/artifacts.ts';
import { sweepOld } from '../../server/background/retention.ts';
import { OWNER_TOKEN, onBothStores, RUNNER_TOKEN } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';
import { type ClaimedRun, claimedRun, claimRun, codeOf, lapse, makeTask, openRun } from '../helpers/runs.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

onBothStores('artifacts of a run', (app) => {
  const run = async (permissions: string[] = ['file_download'], settings = {}) =>
    claimedRun(app(), {}, await makeTask(app(), { permissions }, settings));
  function write({ runId, claim }: ClaimedRun, name: string, content: string, type = 'text/csv', token = claim.report_token) {
    const form = new FormData();
    form.append('file', new Blob([content], { type }), name);
    return app().request({ method: 'POST', path: `/admin/api/runner/runs/${runId}/artifacts`, form, token });
  }
  const list = ({ taskId, runId }: { taskId: number; runId: number }) => app().client.ai_tasks.list_artifacts(taskId, runId);
  const fetchContent = ({ taskId, runId }: { taskId: number; runId: number }, id: number, token = OWNER_TOKEN) =>
    app().request({ path: `/admin/api/ai-tasks/${taskId}/runs/${runId}/artifacts/${id}/content`, token });
  const used = async () => (await app().store.reader.selectFrom('storage_use').select('used_bytes').executeTakeFirstOrThrow()).used_bytes;
  const stored = async () =>
    (await readdir(app().filesDir, { recursive: true }).catch(() => [])).filter((name) => /[0-9a-f]{40}$/.test(name));

  test('SF9: a file that a run writes is listed, and served as an attachment', async () => {
    const at = await run();
    const before = await used();
    const answer = await write(at, 'stock.csv', 'A;1\n');
    assert.equal(answer.status, 201);
    const made = Artifact.parse(answer.body);
    assert.deepEqual(
      { ...made, id: 0, created_at: '' },
      { id: 0, name: 'stock.csv', content_type: 'text/csv', size_bytes: 4, sha256: sha256('A;1\n'), created_at: '' },
    );
    assert.deepEqual(await list(at), [made]);
    assert.equal((await used()) - before, 4);
    const content = await fetchContent(at, made.id);
    assert.deepEqual([content.status, content.text, content.headers['content-type']], [200, 'A;1\n', 'text/csv']);
    assert.equal(content.headers['content-disposition'], `attachment; filename="stock.csv"; filename*=UTF-8''stock.csv`);
    assert.equal(content.headers['x-content-type-options'], 'nosniff');
  });

  test('SF9: an artifact is fetched under its own run, by admins who may read tasks', async () => {
    const [at, other] = [await run(), await run()];
    const { id } = Artifact.parse((await write(at, 'a.txt', 'a')).body);
    assert.deepEqual(codeOf(await fetchContent(other, id)), [404, 'not_found']);
    assert.deepEqual(codeOf(await fetchContent({ ...at, taskId: other.taskId }, id)), [404, 'not_found']);
    assert.deepEqual(codeOf(await fetchContent(at, 999_999)), [404, 'not_found']);
    assert.deepEqual(codeOf(await fetchContent(at, id, RUNNER_TOKEN)), [403, 'forbidden']);
    assert.deepEqual(codeOf(await fetchContent(at, id, at.claim.token)), [403, 'forbidden']);
    assert.deepEqual(await list(other), []);
  });

  test('SF9: a run writes artifacts with file_download and only for itself; nobody else writes any', async () => {
    const before = await stored();
    const without = await run(['file_upload']);
    const answer = await write(without, 'a', 'a');
    assert.deepEqual(codeOf(answer), [403, 'forbidden']);
    assert.match(answer.text, /"required_permission":"file_download"/);
    const at = await run();
    assert.deepEqual(codeOf(await write(at, 'a', 'a', 'text/plain', without.claim.report_token)), [403, 'forbidden']);
    assert.deepEqual(codeOf(await write(at, 'a', 'a', 'text/plain', RUNNER_TOKEN)), [403, 'forbidden']);
    assert.deepEqual(codeOf(await write(at, 'a', 'a', 'text/plain', OWNER_TOKEN)), [403, 'forbidden']);
    assert.deepEqual(await list(at), []);
    assert.deepEqual(await stored(), before);
    await write(at, 'a', 'a');
    assert.deepEqual((await app().client.ai_tasks.get_version(at.taskId, at.claim.version.id)).permissions_used, ['file_download']);
  });

  test('SF9: the same name and content is one artifact, also in the next attempt, and its bytes are stored once', async () => {
    const at = await run(undefined, { on_interrupt: 'resume' });
    const first = Artifact.parse((await write(at, 'report.txt', 'one')).body);
    const [bytes, space] = [(await stored()).length, await used()];
    assert.deepEqual((await write(at, 'report.txt', 'one')).body, first);
    await lapse(app(), at);
    const again = { ...at, ...(await claimRun(app(), at)) };
    assert.deepEqual((await write(again, 'report.txt', 'one')).body, first);
    assert.deepEqual([await list(at), await used()], [[first], space]);
    await until('the bytes that came again are gone', async () => (await stored()).length <= bytes);
    assert.deepEqual(codeOf(await write(at, 'report.txt', 'two')), [409, 'run_fenced']);
    for (const [name, content, type] of [
      ['report.txt', 'two'],
      ['other.txt', 'one'],
      ['report.txt', 'one', 'text/html'],
    ] as const) {
      assert.notEqual(Artifact.parse((await write(again, name, content, type)).body).id, first.id);
    }
    assert.equal((await list(at)).length, 4);
  });

  test('SF9: a run that resumes another shows the artifacts of both; the first run shows its own', async () => {
    const at = await run();
    const first = Artifact.parse((await write(at, 'a.txt', 'a')).body);
    await lapse(app(), at);
    const next = await openRun(app(), { resume_run_id: at.runId }, at.taskId);
    const resumed = { ...next, ...(await claimRun(app(), next)) };
    assert.deepEqual((await write(resumed, 'a.txt', 'a')).body, first);
    const second = Artifact.parse((await write(resumed, 'b.txt', 'b')).body);
    assert.deepEqual([await list(at), await list(resumed)], [[first], [first, second]]);
    assert.equal((await fetchContent(resumed, first.id)).text, 'a');
    assert.deepEqual(codeOf(await fetchContent(at, second.id)), [404, 'not_found']);
  });

  test('SF9: unsafe file names and content types are made safe', async () => {
    const at = await run();
    const names: string[] = [];
    for (const name of ['../../etc/passwd', 'C:\\x\\y.txt', 'a\u0001b', '..', 'né "q".txt', 'x'.repeat(300)]) {
      names.push(z.object({ name: z.string() }).parse((await write(at, name, name)).body).name);
    }
    assert.deepEqual(names, ['passwd', 'y.txt', 'ab', 'file', 'né "q".txt', 'x'.repeat(255)]);
    assert.equal(Artifact.parse((await write(at, 'a', 'b', 'no type')).body).content_type, 'application/octet-stream');
    const page = Artifact.parse((await write(at, 'né "q".html', '<script>', 'text/html')).body);
    assert.match(String((await fetchContent(at, page.id)).headers['content-disposition']), /^attachment; filename="n_ _q_\.html"/);
  });

  test('CU4: artifacts count towards the storage caps: one over a cap is 402, and no bytes stay', async () => {
    const at = await run();
    const before = await stored();
    const { file_max_bytes } = await app().client.settings.get();
    await app().client.settings.update({ file_max_bytes: 10 });
    const answer = await write(at, 'a', 'x'.repeat(11));
    assert.deepEqual(codeOf(answer), [402, 'storage_cap_exceeded']);
    assert.equal((await write(at, 'b', 'x'.repeat(10))).status, 201);
    await app().client.settings.update({ file_max_bytes });
    assert.equal((await stored()).length, before.length + 1);
  });

  test('RU9, SF9: artifacts are deleted with their run, and their space is freed', async () => {
    const before = await used();
    const at = await run();
    await write(at, 'a.txt', 'kept');
    await at.report([{ kind: 'finalize', status: 'success' }]);
    const { run_days } = await app().client.settings.get();
    await sweepOld(app().store, Date.now() + (run_days - 1) * 86_400_000);
    assert.equal((await list(at)).length, 1);
    await sweepOld(app().store, Date.now() + (run_days + 1) * 86_400_000);
    const { rows } = { rows: await app().store.reader.selectFrom('artifacts').select('id').where('run_id', '=', at.runId).execute() };
    assert.deepEqual(rows, []);
    assert.ok((await used()) <= before);
  });
});
