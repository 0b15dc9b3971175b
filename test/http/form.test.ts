import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type FilePart, readForm } from '../../server/http/form.ts';

const CONTENT = `\r\n--X\r\n--XY${'-'.repeat(40)}\r\r\n\n`;
const FORM = [
  '--XX',
  'Content-Disposition: form-data; name="first"',
  '',
  'one',
  '--XX',
  'Content-Disposition: form-data; name="file"; filename="a.bin"',
  'Content-Type: image/png',
  '',
  CONTENT,
  '--XX',
  'content-disposition: form-data; name=last; x="a;b"',
  '',
  'árvíztűrő',
  '--XX',
  'Content-Disposition: form-data; name="empty"',
  '',
  '',
  '--XX--',
  '',
].join('\r\n');

/** The content that is read from a form which arrives in blocks of `size` bytes. */
async function read(text: string, size: number) {
  const request = new IncomingMessage(new Socket());
  const take = async ({ filename, contentType, content }: FilePart) => {
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(chunk);
    return { filename, contentType, text: Buffer.concat(chunks).toString(), discard: async () => undefined };
  };
  const form = readForm(request, 'XX', take);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    request.push(bytes.subarray(at, at + size));
    if (at % 10 === 0) await turn();
  }
  request.complete = true;
  request.push(null);
  const { fields, file } = await form;
  return { fields: Object.fromEntries(fields), file: file && { filename: file.filename, contentType: file.contentType, text: file.text } };
}

test('a form has the same content however its bytes are cut into blocks', async () => {
  const expected = {
    fields: { first: 'one', last: 'árvíztűrő', empty: '' },
    file: { filename: 'a.bin', contentType: 'image/png', text: CONTENT },
  };
  for (let size = 1; size < 60; size++) assert.deepEqual(await read(FORM, size), expected, `in blocks of ${size}`);
  assert.deepEqual(await read(FORM, 1_000_000), expected);
  assert.deepEqual(await read(`something before\r\n${FORM}and after`, 7), expected);
});

test('a form that ends too early, at any point, has no file or is malformed, and never hangs', async () => {
  for (let length = 0; length < FORM.length - 30; length += 3) {
    const outcome = await read(FORM.slice(0, length), 11).then(
      ({ file }) => file,
      (error: unknown) => Reflect.get(Object(error), 'code'),
    );
    assert.ok(outcome === null || outcome === 'malformed_form', `cut at ${length}: ${JSON.stringify(outcome)}`);
  }
});

test('the server does not wait forever for a sender that stops sending', async () => {
  const request = new IncomingMessage(new Socket());
  request.push(Buffer.from(FORM.slice(0, 200)));
  const take = async ({ content }: FilePart) => {
    for await (const _ of content);
    return { discard: async () => undefined };
  };
  await assert.rejects(readForm(request, 'XX', take, 20), {
    code: 'malformed_form',
    message: 'The sender of the form was silent for 20 ms.',
  });
});

test('a file in the same block as an earlier part for which the form is refused is not stored', async () => {
  const file = '--XX\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n';
  const text = `--XX\r\nContent-Disposition: form-data; name="n"\r\n\r\n${'x'.repeat(1_100_000)}\r\n`;
  const bytes = Buffer.from(`${text}${file}--XX--`);
  const request = new IncomingMessage(new Socket());
  let kept = 0;
  const take = async ({ content }: FilePart) => {
    kept += 1;
    for await (const _ of content);
    return {
      discard: async () => {
        kept -= 1;
      },
    };
  };
  const form = readForm(request, 'XX', take).then(
    () => 'accepted',
    (error: unknown) => Reflect.get(Object(error), 'code'),
  );
  for (let at = 0; at < bytes.length; at += 65_536) {
    request.push(bytes.subarray(at, at + 65_536));
    await turn();
  }
  request.complete = true;
  request.push(null);
  assert.equal(await form, 'body_too_large');
  assert.equal(kept, 0);
});

test('a header without an end, and bytes before the first part, are refused at the same limit as text parts', async () => {
  const beginnings = ['--XX\r\nContent-Disposition: form-data; name="file"; filename="', 'x', '--XX\r\nx: '];
  for (const beginning of beginnings) {
    const request = new IncomingMessage(new Socket());
    const take = async () => assert.fail('there is no file');
    const form = readForm(request, 'XX', take).then(
      () => 'accepted',
      (error: unknown) => Reflect.get(Object(error), 'code'),
    );
    let outcome: unknown;
    void form.then((code) => {
      outcome = code;
    });
    request.push(Buffer.from(beginning));
    let sent = 0;
    for (; outcome === undefined && sent < 100 * 1024 * 1024; sent += 65_536) {
      request.push(Buffer.alloc(65_536, 'x'));
      await turn();
    }
    assert.equal(outcome, 'body_too_large', `after ${sent} bytes of ${beginning}`);
    assert.ok(sent < 2 * 1024 * 1024, `${sent} bytes were read`);
  }
});

test('bytes after the last boundary are not read', async () => {
  const request = new IncomingMessage(new Socket());
  const form = readForm(request, 'XX', async () => null);
  request.push(Buffer.from('--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--XX--\r\n'));
  assert.deepEqual([...(await form).fields], [['a', 'b']]);
  assert.equal(request.listenerCount('data'), 0);
});
