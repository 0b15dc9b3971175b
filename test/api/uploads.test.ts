import assert from 'node:assert/strict';
import { readdir, utimes } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import pino from 'pino';
import { FormData } from 'undici';
import { diskFiles } from '../../server/providers/files/disk.ts';
import { keyPrefix, sweepOrphans } from '../../server/resources/storage/domain.ts';
import { OWNER_TOKEN, onBothStores } from '../helpers/app.ts';
import { png } from '../helpers/images.ts';
import { until } from '../helpers/machines.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('uploads', (app) => {
  const upload = (size: number) => app().client.files.create({ file: { filename: 'f.bin', content: Buffer.alloc(size, 1) } });
  const setCaps = (caps: { file_max_bytes?: number; storage_total_bytes?: number }) => app().client.settings.update(caps);
  const used = async () => (await app().store.reader.selectFrom('storage_use').select('used_bytes').executeTakeFirstOrThrow()).used_bytes;
  const post = (raw: string | Buffer, headers: Record<string, string> = {}, path = '/admin/api/files') =>
    app().request({ method: 'POST', path, raw, headers: { 'content-type': 'multipart/form-data; boundary=XX', ...headers } });
  const part = (headers: string, content: string) => `--XX\r\n${headers}\r\n\r\n${content}\r\n`;
  const FILE = 'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain';

  /** The names of all files in the file store, drafts included. */
  async function stored(): Promise<string[]> {
    const names = await readdir(app().filesDir, { recursive: true }).catch(() => []);
    return names.filter((name) => /[0-9a-f]{40}$/.test(name)).sort();
  }

  /** Deletes a file and waits until its bytes are gone too: the server removes them after its answer. */
  async function remove(id: number): Promise<void> {
    const before = (await stored()).length;
    await app().client.files.delete(id);
    await until('the bytes are gone', async () => (await stored()).length < before);
  }

  /** Asserts that `act`, whose requests are refused, leaves neither rows nor bytes. */
  async function leavesNothing(act: () => Promise<unknown>): Promise<void> {
    const names = await stored();
    const before = [await used(), (await app().client.files.list()).total];
    await act();
    await until('the bytes are those of before', async () => isDeepStrictEqual(await stored(), names));
    assert.deepEqual([await used(), (await app().client.files.list()).total], before);
  }

  test('CU4: a file of exactly the cap is stored, one byte more is 402 and leaves nothing', async () => {
    await setCaps({ file_max_bytes: 1000 });
    const { id } = await upload(1000);
    const usedBefore = await used();
    await leavesNothing(async () => {
      const { problem } = await refused(upload(1001), 402, 'storage_cap_exceeded');
      assert.deepEqual([problem?.['scope'], problem?.['limit_bytes'], problem?.['used_bytes']], ['per_file', 1000, usedBefore]);
    });
    await remove(id);
    assert.equal(await used(), usedBefore - 1000, 'a deleted file frees its space');
    await setCaps({ file_max_bytes: 100 * 1024 * 1024 });
  });

  test('CU4: simultaneous uploads reach the total cap and do not exceed it; images do not count', async () => {
    const before = await used();
    await setCaps({ storage_total_bytes: before + 5000 });
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => upload(1000)));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 5);
    assert.equal(await used(), before + 5000);
    await leavesNothing(async () => {
      const { problem } = await refused(upload(1), 402, 'storage_cap_exceeded');
      assert.deepEqual(
        [problem?.['scope'], problem?.['limit_bytes'], problem?.['used_bytes']],
        ['aggregate', before + 5000, before + 5000],
      );
    });
    await upload(0);
    await app().client.media.create({ file: { filename: 'a.png', content: png(1, 1) } });
    assert.equal(await used(), before + 5000);
    const { notifications } = await app().client.notifications.list();
    assert.equal(notifications.filter(({ type }) => type === 'storage_nearly_full').length, 1, 'NT3: notified once');
    await setCaps({ storage_total_bytes: 5 * 1024 ** 3 });
  });

  test('CU4: uploads under way count towards the cap as they arrive; an announced length is checked at once', async () => {
    const MIB = 1024 ** 2;
    const before = await used();
    await setCaps({ storage_total_bytes: before + 10 * MIB });
    const { port, hostname } = new URL(app().url);
    const head = Buffer.from(part(FILE, '').slice(0, -2));
    /** Begins an upload with this Content-Length and sends its first bytes. */
    const begin = (length: number) => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      const lines = [
        'POST /admin/api/files HTTP/1.1',
        `Host: ${hostname}`,
        `Authorization: Bearer ${OWNER_TOKEN}`,
        'Content-Type: multipart/form-data; boundary=XX',
      ];
      socket.write(`${[...lines, `Content-Length: ${length}`].join('\r\n')}\r\n\r\n`);
      // The hundred bytes after the header make a draft, because the parser holds back what may begin a boundary.
      socket.write(Buffer.concat([head, Buffer.alloc(100)]));
      const answer = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString('latin1').slice(9, 12))));
      return { socket, answer };
    };
    const drafts = async () => (await readdir(join(app().filesDir, 'drafts')).catch(() => [])).length;
    const first = begin(9 * MIB);
    await until('the first is on its way', async () => (await drafts()) === 1);
    first.socket.write(Buffer.alloc(1000));
    assert.equal(await begin(8 * MIB).answer, '402', 'refused before its bytes arrive');
    const { id } = await upload(1000);
    first.socket.destroy();
    await until('the first is thrown away', async () => (await drafts()) === 0);
    // The draft is gone a moment before its space is free.
    let second = begin(8 * MIB);
    await until('there is space again', async () => {
      const status = await Promise.race([second.answer, nextTurn(null)]);
      if (status !== null) second = begin(8 * MIB);
      return (await drafts()) === 1;
    });
    second.socket.destroy();
    await until('the second is thrown away', async () => (await drafts()) === 0);
    await remove(id);
    assert.equal(await used(), before);
    await setCaps({ storage_total_bytes: 5 * 1024 ** 3 });
  });

  test('CU4: a file over the cap is refused before a quarter of it was sent', async () => {
    await setCaps({ file_max_bytes: 100_000 });
    const size = 200 * 1024 * 1024;
    let sent = 0;
    const head = Buffer.from(part(FILE, '').slice(0, -2));
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(head),
      pull: (controller) => {
        sent += 65_536;
        if (sent < size) controller.enqueue(Buffer.alloc(65_536));
        else controller.close();
      },
    });
    await leavesNothing(async () => {
      const answer = await fetch(`${app().url}/admin/api/files`, {
        method: 'POST',
        headers: { authorization: `Bearer ${OWNER_TOKEN}`, 'content-type': 'multipart/form-data; boundary=XX' },
        body,
        duplex: 'half',
      } as RequestInit);
      assert.equal(answer.status, 402);
      assert.equal(Reflect.get(Object(await answer.json()), 'scope'), 'per_file');
      assert.ok(sent < size / 4, `${sent} bytes were sent`);
    });
    await setCaps({ file_max_bytes: 100 * 1024 * 1024 });
  });

  test('CU3: a request without a file is 422 file_required, whatever its body', () =>
    leavesNothing(async () => {
      const end = '--XX--\r\n';
      const text = 'Content-Disposition: form-data; name="note"';
      for (const [raw, headers] of [
        ['', {}],
        ['{}', { 'content-type': 'application/json' }],
        ['a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
        ['garbage', {}],
        ['garbage', { 'content-type': 'multipart/form-data' }],
        ['garbage', { 'content-type': 'multi part' }],
        [end, {}],
        [part(text, 'x') + end, {}],
        [part(text, 'x'), {}],
        [part('Content-Disposition: form-data; name="file"', 'text, not a file') + end, {}],
        [part('Content-Disposition: form-data; name="other"; filename="x"', 'x') + end, {}],
        [part('Content-Disposition: form-data; name="file"; filename=""\r\nContent-Type: application/octet-stream', '') + end, {}],
        [part('Content-Disposition: attachment; name="file"; filename="x"', 'x') + end, {}],
        [part('Content-Type: image/png', 'x') + end, {}],
      ] as const) {
        const answer = await post(raw, headers);
        assert.deepEqual([answer.status, Reflect.get(Object(answer.body), 'code')], [422, 'file_required'], raw);
      }
    }));

  test('R2: a form that is cut off, too large or has two files is refused with the reason, and leaves nothing', () =>
    leavesNothing(async () => {
      const cases = [
        [part(FILE, 'cut off'), 400, 'malformed_form'],
        [`${part(FILE, 'a') + part(FILE, 'b')}--XX--`, 422, 'duplicate'],
        [
          `${Array.from({ length: 101 }, (_, i) => part(`Content-Disposition: form-data; name="n${i}"`, 'x')).join('')}--XX--`,
          400,
          'malformed_form',
        ],
        [`${part('Content-Disposition: form-data; name="n"', 'x'.repeat(1_100_000)) + part(FILE, 'a')}--XX--`, 413, 'body_too_large'],
        [
          `${part(FILE, 'a') + part('Content-Disposition: form-data; name="o"; filename="o"', 'x'.repeat(1_100_000))}--XX--`,
          413,
          'body_too_large',
        ],
      ] as const;
      for (const [raw, status, code] of cases) {
        const answer = await post(raw);
        assert.deepEqual([answer.status, Reflect.get(Object(answer.body), 'code')], [status, code]);
      }
      assert.equal((await post(`${part(FILE, 'a')}--XX--`, { 'content-encoding': 'gzip' })).status, 415);
      assert.equal((await post(`${part(FILE, 'a')}--XX--`, { authorization: 'Bearer no' })).status, 401);
    }));

  test('other fields are checked before the cap on the file', async () => {
    await setCaps({ file_max_bytes: 3 });
    const alt = (text: string) => part('Content-Disposition: form-data; name="alt"', text);
    assert.equal((await post(`${alt('x'.repeat(1001))}${part(FILE, 'too long')}--XX--`, {}, '/admin/api/media')).status, 422);
    assert.equal((await post(`${alt('x')}${part(FILE, 'too long')}--XX--`, {}, '/admin/api/media')).status, 402);
    await setCaps({ file_max_bytes: 100 * 1024 * 1024 });
  });

  test('IK2, IK3: a repeated upload with its key is stored once, even if the cap was lowered since; other content is refused', async () => {
    const form = (content: string) => {
      const parts = new FormData();
      parts.append('file', new Blob([content]), 'once.txt');
      return parts;
    };
    const send = (content: string) =>
      app().request({ method: 'POST', path: '/admin/api/files', form: form(content), headers: { 'idempotency-key': 'upload-1' } });
    const first = await send('hello');
    assert.equal(first.status, 201);
    await setCaps({ file_max_bytes: 1 });
    await leavesNothing(async () => {
      const again = await send('hello');
      assert.deepEqual([again.status, again.text, again.headers['idempotency-replayed']], [201, first.text, 'true']);
      const other = await send('hallo');
      assert.deepEqual([other.status, Reflect.get(Object(other.body), 'code')], [422, 'idempotency_key_reused']);
    });
    await setCaps({ file_max_bytes: 100 * 1024 * 1024 });
    const before = (await stored()).length;
    const both = await Promise.all(
      [1, 2].map(() =>
        app().request({ method: 'POST', path: '/admin/api/files', form: form('x'), headers: { 'idempotency-key': 'upload-2' } }),
      ),
    );
    assert.deepEqual(
      both.map(({ status }) => status),
      [201, 201],
    );
    assert.equal(both[0]?.text, both[1]?.text);
    await until('one of both is stored', async () => (await stored()).length === before + 1);
  });

  test('CU4: the bytes of an interrupted upload are deleted', async () => {
    const before = await stored();
    const { hostname, port } = new URL(app().url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      `POST /admin/api/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${OWNER_TOKEN}\r\nContent-Type: multipart/form-data; boundary=XX\r\nContent-Length: 5000000\r\n\r\n${part(FILE, 'x'.repeat(200_000))}`,
    );
    await until('the draft is there', async () => (await stored()).length > before.length);
    socket.destroy();
    await until('the draft is gone', async () => (await stored()).length === before.length);
    assert.deepEqual(await stored(), before);
  });

  test('stored files without a row are deleted after an hour, other files are kept', async () => {
    const { storage_key } = await upload(10);
    const files = diskFiles(app().filesDir, await keyPrefix(app().store));
    const log = pino({ level: 'silent' });
    const orphan = await files.draft();
    await orphan.write(Buffer.from('nobody knows me'));
    await orphan.keep();
    const halfWritten = await files.draft();
    await halfWritten.write(Buffer.from('a crash'));
    const stranger = await diskFiles(app().filesDir, 'ffffffff').draft();
    await stranger.keep();
    const all = await stored();
    await sweepOrphans(app().store, files, log);
    assert.deepEqual(await stored(), all, 'files younger than an hour stay');
    const old = new Date(Date.now() - 3_700_000);
    for (const name of all) await utimes(join(app().filesDir, name), old, old);
    await sweepOrphans(app().store, files, log);
    const left = (await stored()).join();
    assert.deepEqual(
      [orphan.key, halfWritten.key, stranger.key, storage_key].map((key) => left.includes(key)),
      [false, false, true, true],
    );
    await halfWritten.discard();
  });
});
