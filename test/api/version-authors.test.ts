import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

/** Who made a version, what its author says about it, and a new version that is made from an outdated one. */
onBothStores('authors of versions', (app) => {
  const VERSION = { source_code: 'log(1);', permissions: [], parameters: [] };
  const tasks = () => app().client.ai_tasks;
  const make = async () => {
    const { task_id, version_id } = await tasks().create({ name: 'Notes', description: '', ...VERSION });
    return { id: task_id, first: version_id };
  };

  test('a version shows its author and note, alone, in the list of versions and as the current version', async () => {
    const eszter = await person(app(), { permissions: ['admin_api.ai_tasks.write'] });
    await app().client.admins.update(eszter.adminId, { name: 'Eszter' });
    const { task_id: id, version_id: first } = await tasks().create({ name: 'Notes', description: '', ...VERSION, note: ' the first ' });
    await app().client.settings.update({ approval_policy: 'second_admin' });
    const theirs = app().clientFor(eszter.token).ai_tasks;
    const { version_id: second } = await theirs.create_version(id, { ...VERSION, note: 'batches of 10\nas before' });
    const { version_id: third } = await theirs.create_version(id, { ...VERSION, note: ' ' });
    await app().client.settings.update({ approval_policy: 'author' });
    await tasks().reject_version(id, third, { reason: 'no' });

    const { versions, current_version } = await tasks().get(id);
    assert.deepEqual(
      versions.map(({ id: versionId, approval, created_by, created_by_name, note }) => [
        versionId,
        approval,
        created_by,
        created_by_name,
        note,
      ]),
      [
        [third, 'rejected', eszter.adminId, 'Eszter', null],
        [second, 'pending', eszter.adminId, 'Eszter', 'batches of 10\nas before'],
        [first, 'approved', 1, 'Owner', 'the first'],
      ],
    );
    assert.deepEqual([current_version?.created_by_name, current_version?.note], ['Owner', 'the first']);
    const read = await tasks().get_version(id, second);
    assert.deepEqual([read.created_by, read.created_by_name, read.note], [eszter.adminId, 'Eszter', 'batches of 10\nas before']);
    const { source_sha256 } = read;
    assert.equal((await tasks().approve_version(id, second, { source_sha256, permissions: [] })).created_by_name, 'Eszter');
  });

  test('a note of more than 1,000 characters is refused, and no version is made', async () => {
    const { id } = await make();
    await tasks().create_version(id, { ...VERSION, note: 'ä'.repeat(1000) });
    const error = await refused(tasks().create_version(id, { ...VERSION, note: 'ä'.repeat(1001) }), 422, 'too_long');
    assert.equal(error.errors[0]?.pointer, '/note');
    await refused(tasks().create({ name: 'n', description: '', ...VERSION, note: 'x'.repeat(1001) }), 422, 'too_long');
    assert.equal((await tasks().get(id)).versions.length, 2);
  });

  test('a version made from the newest one is accepted; one made from an older one is refused with the newer one’s number and author', async () => {
    const { id, first } = await make();
    const { version_id: second } = await tasks().create_version(id, { ...VERSION, base_version_id: first });
    const error = await refused(tasks().create_version(id, { ...VERSION, base_version_id: first }), 409, 'version_outdated');
    assert.match(error.detail, /^Version 2 by Owner of \S+ is newer than version 1, from which this one was made\.$/);
    assert.deepEqual([error.problem?.['newest_version_id'], error.problem?.['newest_version']], [second, 2]);
    assert.equal((await tasks().get(id)).versions.length, 2);
    assert.ok(await tasks().create_version(id, VERSION), 'without a base, nothing is compared');
  });

  test('a newer version counts although it is pending or rejected', async () => {
    const { id, first } = await make();
    await app().client.settings.update({ approval_policy: 'second_admin' });
    const { version_id: second } = await tasks().create_version(id, VERSION);
    await app().client.settings.update({ approval_policy: 'author' });
    await refused(tasks().create_version(id, { ...VERSION, base_version_id: first }), 409, 'version_outdated');
    await tasks().reject_version(id, second, { reason: 'no' });
    await refused(tasks().create_version(id, { ...VERSION, base_version_id: first }), 409, 'version_outdated');
  });

  test('a base that the task does not have is refused', async () => {
    const { id } = await make();
    const { first: foreign } = await make();
    for (const base_version_id of [foreign, 999_999]) {
      const error = await refused(tasks().create_version(id, { ...VERSION, base_version_id }), 422, 'version_not_found');
      assert.equal(error.errors[0]?.pointer, '/base_version_id');
    }
  });

  test('of two versions made from the same one at the same time, one is accepted', async () => {
    const { id, first } = await make();
    const both = await Promise.allSettled(
      [1, 2].map((n) => tasks().create_version(id, { ...VERSION, source_code: `log(${n})`, base_version_id: first })),
    );
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.equal((await tasks().get(id)).versions.length, 2);
  });
});
