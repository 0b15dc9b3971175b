import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { FormData } from 'undici';
import { diskFiles } from '../../server/providers/files/disk.ts';
import type { FileStore } from '../../server/providers/files/file-store.ts';
import { s3Files } from '../../server/providers/files/s3.ts';
import { OWNER_TOKEN, startApp } from '../helpers/app.ts';
import { until } from '../helpers/machines.ts';
import { startS3 } from '../helpers/s3.ts';

const OWN = 'aaaaaaaa';
const MIB = 1024 * 1024;

/** Opens a file store for a shop with this prefix; all shops of a test share one folder or bucket. */
type Place = { open(prefix: string): Promise<FileStore>; close(): Promise<void>; givesUpDrafts: boolean };

const places: Record<string, () => Promise<Place>> = {
  disk: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'backroom-files-'));
    return {
      open: async (prefix) => diskFiles(folder, prefix),
      close: () => rm(folder, { recursive: true, force: true }),
      givesUpDrafts: true,
    };
  },
  S3: async () => {
    const { settings, close } = await startS3();
    // The S3 server of the tests cannot abort an upload. It matters only that the upload is not visible.
    return { open: (prefix) => s3Files(settings, prefix), close, givesUpDrafts: false };
  },
};

for (const [name, open] of Object.entries(places)) {
  describe(`file store: ${name}`, () => {
    let place: Place;
    let files: FileStore;
    before(async () => {
      place = await open();
      files = await place.open(OWN);
    });
    after(() => place.close());

    for (const [size, bytes] of [
      ['empty', 0],
      ['small', 1000],
      ['of several parts', 20 * MIB + 17],
    ] as const) {
      test(`a file ${size} is read as it was written, from the moment it is stored`, async () => {
        const content = Buffer.alloc(bytes, 'The quick brown fox. ');
        const draft = await files.draft();
        for (let at = 0; at < bytes; at += 3 * MIB) await draft.write(content.subarray(at, at + 3 * MIB));
        assert.equal(await files.open(draft.key), null);
        await draft.keep();
        assert.match(draft.key, /^aaaaaaaa[0-9a-f]{32}$/);
        const kept = await files.open(draft.key);
        assert.equal(kept?.sizeBytes, bytes);
        assert.ok(content.equals(await allOf(kept?.chunks())));
        await kept?.close();
      });
    }

    test('a part of a file can be read; a range past its end has no bytes', async () => {
      const draft = await files.draft();
      await draft.write(Buffer.from('0123456789'));
      await draft.keep();
      for (const [start, length, expected] of [
        [0, 3, '012'],
        [4, 1, '4'],
        [7, 100, '789'],
      ] as const) {
        const part = await files.open(draft.key, { start, length });
        assert.deepEqual([part?.sizeBytes, (await allOf(part?.chunks())).toString()], [expected.length, expected]);
        await part?.close();
      }
    });

    test('a discarded file cannot be read, even if it was stored or partly sent', async () => {
      for (const steps of ['small', 'kept', 'large'] as const) {
        const draft = await files.draft();
        await draft.write(Buffer.alloc(steps === 'large' ? 9 * MIB : 10, 'x'));
        if (steps === 'kept') await draft.keep();
        await draft.discard();
        assert.equal(await files.open(draft.key), null);
      }
    });

    test('a removed file cannot be read; removing a missing file succeeds', async () => {
      const draft = await files.draft();
      await draft.write(Buffer.from('x'));
      await draft.keep();
      await files.remove(draft.key);
      assert.equal(await files.open(draft.key), null);
      await files.remove(draft.key);
      assert.equal(await files.open('../../etc/passwd'), null);
    });

    test("a sweep lists the shop's own files older than a given time, and removes unfinished uploads", async () => {
      const strangers = await place.open('bbbbbbbb');
      const draft = await files.draft();
      await draft.write(Buffer.alloc(9 * MIB, 'x'));
      const kept = await files.draft();
      await kept.write(Buffer.from('x'));
      await kept.keep();
      const foreign = await strangers.draft();
      await foreign.write(Buffer.from('x'));
      await foreign.keep();
      const soon = Date.now() + 60_000;
      const keys = await keysOf(files, soon);
      assert.ok(keys.includes(kept.key));
      assert.ok(!keys.includes(foreign.key) && !keys.includes(draft.key));
      assert.deepEqual(await keysOf(files, Date.now() - 3_600_000), []);
      await files.removeDraftsBefore(soon);
      if (place.givesUpDrafts) await assert.rejects(draft.keep());
      assert.equal(await files.open(draft.key), null);
      const theirs = await strangers.open(foreign.key);
      assert.equal(theirs?.sizeBytes, 1);
      await theirs?.close();
    });
  });
}

test('a server with a bucket stores and sends files, and leaves nothing of a deleted file', async (t) => {
  const s3 = await startS3();
  const { bucket, endpoint = '', accessKeyId, secretAccessKey } = s3.settings;
  const app = await startApp('sqlite', {
    env: {
      FILES_S3_BUCKET: bucket,
      FILES_S3_ENDPOINT: endpoint,
      FILES_S3_ACCESS_KEY_ID: accessKeyId,
      FILES_S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
  });
  t.after(async () => {
    await app.close();
    await s3.close();
  });
  const content = Buffer.alloc(12 * MIB, 'bucket ');
  const form = new FormData();
  form.append('file', new Blob([content], { type: 'text/plain' }), 'big.txt');
  const named = (id: string) => ({ 'x-request-id': id });
  const { status, body } = await app.request({ method: 'POST', path: '/admin/api/files', form, headers: named('upload') });
  assert.equal(status, 201);
  const { id } = Object(body);
  const headers = { authorization: `Bearer ${OWNER_TOKEN}` };
  const got = await fetch(`${app.url}/admin/api/files/${id}/content`, { headers: { ...headers, ...named('download') } });
  assert.ok(content.equals(Buffer.from(await got.arrayBuffer())));
  await app.client.files.delete(id, {}, { headers: named('deletion') });
  const gone = await fetch(`${app.url}/admin/api/files/${id}/content`, { headers });
  assert.equal(gone.status, 404);
  await until('the bucket was asked for the deletion', () => Promise.resolve(s3.requestIds.includes('deletion')));
  // The upload was begun, two parts were sent, and it was completed.
  assert.deepEqual([s3.requestIds.filter((one) => one === 'upload').length, s3.requestIds.includes('download')], [4, true]);
  assert.equal(s3.requestIds[0], undefined, 'requests at the start of the server must have no request id');
});

async function keysOf(files: FileStore, before: number): Promise<string[]> {
  const keys: string[] = [];
  for await (const some of files.keysBefore(before)) keys.push(...some);
  return keys;
}

async function allOf(chunks: AsyncIterable<Buffer> | undefined): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks ?? []) all.push(Buffer.from(chunk));
  return Buffer.concat(all);
}
