import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { DigitalFile } from '../../contract/files.ts';
import { startListeningServer } from '../../ops/processes.ts';
import { OWNER_TOKEN } from '../helpers/app.ts';

const MIB = 1024 * 1024;
const FILE_MIB = 100;
const GROWTH_MIB = 32;
const BLOCK = Buffer.alloc(MIB, 'backroom');

/** Reads a process's resident memory every few milliseconds from now on; `peak` stops and answers the maximum in bytes. */
function watchMemory(pid: number): { peak(): Promise<number> } {
  const stop = new AbortController();
  let highest = 0;
  const watching = (async () => {
    while (!stop.signal.aborted) {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      highest = Math.max(highest, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024);
      await delay(5, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  })();
  return {
    peak: async () => {
      stop.abort();
      await watching;
      return highest;
    },
  };
}

test('uploading and downloading a 100 MiB file takes less than 32 MiB of memory', { skip: process.platform !== 'linux' }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backroom-large-'));
  const server = await startListeningServer({ PORT: '0', DATA_DIR: folder, BOOTSTRAP_ADMIN_TOKEN: OWNER_TOKEN, RATE_LIMIT: '0' });
  try {
    const headers = { authorization: `Bearer ${OWNER_TOKEN}`, 'content-type': 'multipart/form-data; boundary=XX' };
    const upload = async (blocks: number) => {
      async function* parts() {
        yield Buffer.from('--XX\r\nContent-Disposition: form-data; name="file"; filename="film.mp4"\r\n\r\n');
        for (let i = 0; i < blocks; i++) yield BLOCK;
        yield Buffer.from('\r\n--XX--\r\n');
      }
      const answer = await fetch(`${server.url}/admin/api/files`, {
        method: 'POST',
        headers,
        body: ReadableStream.from(parts()),
        duplex: 'half',
      });
      assert.equal(answer.status, 201);
      return DigitalFile.parse(await answer.json());
    };
    const download = async (id: number) => {
      const { body } = await fetch(`${server.url}/admin/api/files/${id}/content`, { headers });
      let bytes = 0;
      for await (const chunk of z.instanceof(ReadableStream<Uint8Array>).parse(body)) bytes += chunk.length;
      return bytes;
    };
    const small = await upload(4);
    await download(small.id);
    const before = await watchMemory(server.pid).peak();
    const memory = watchMemory(server.pid);
    const large = await upload(FILE_MIB);
    assert.equal(large.file_size, FILE_MIB * MIB);
    assert.equal(await download(large.id), FILE_MIB * MIB);
    const growth = ((await memory.peak()) - before) / MIB;
    assert.ok(growth < GROWTH_MIB, `memory grew by ${growth.toFixed(1)} MiB for a file of ${FILE_MIB} MiB`);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
