import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FormData } from 'undici';
import { OWNER_TOKEN, onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('files of customers', (app) => {
  const upload = (id: number, fields: Record<string, string> = {}, filename = 'scan.pdf', content = 'content') => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([content], { type: 'application/pdf' }), filename);
    return app().request({ method: 'POST', path: `/admin/api/customers/${id}/files`, form });
  };

  test('CU5: a file is named as wished, else as it came; listed newest first and read byte for byte', async () => {
    const { client, url } = app();
    const { id } = await makeCustomer(app());
    const first = await upload(id, { name: '  Contract ', note: 'signed' });
    assert.equal(first.status, 201);
    const second = await upload(id, { name: ' ' }, '../../etc/pass\u0007wd');
    const files = await client.customers.list_files(id);
    assert.deepEqual(
      files.map(({ name, note, size_bytes, content_type, customer_id }) => ({ name, note, size_bytes, content_type, customer_id })),
      [
        { name: 'passwd', note: null, size_bytes: 7, content_type: 'application/pdf', customer_id: id },
        { name: 'Contract', note: 'signed', size_bytes: 7, content_type: 'application/pdf', customer_id: id },
      ],
    );
    assert.deepEqual([second.body, first.body], files);
    const [, contract] = files;
    const path = `${url}/admin/api/customers/${id}/files/${contract?.id}/content`;
    const content = await fetch(path, { headers: { authorization: `Bearer ${OWNER_TOKEN}` } });
    assert.equal(content.headers.get('content-disposition'), `attachment; filename="Contract"; filename*=UTF-8''Contract`);
    assert.equal(await content.text(), 'content');
  });

  test('CU3: first the customer, then the file, then the note, then the caps', async () => {
    const { client } = app();
    const { id } = await makeCustomer(app());
    assert.equal((await upload(999_999, { note: 'x'.repeat(1001) })).status, 404);
    const path = `/admin/api/customers/${id}/files`;
    const unformed = [
      await app().request({ method: 'POST', path }),
      await app().request({ method: 'POST', path, body: { file: 'x' } }),
      await app().request({ method: 'POST', path, raw: 'hello', headers: { 'content-type': 'text/plain' } }),
    ];
    for (const answer of unformed) assert.deepEqual([answer.status, JSON.parse(answer.text).code], [422, 'file_required']);
    const settings = await client.settings.get();
    await client.settings.update({ file_max_bytes: 10 });
    const long = await upload(id, { note: '🧾'.repeat(1001) }, 'a.txt', 'x'.repeat(11));
    assert.deepEqual([long.status, JSON.parse(long.text).code], [422, 'too_long']);
    const large = await upload(id, {}, 'a.txt', 'x'.repeat(11));
    const { code, scope, limit_bytes } = JSON.parse(large.text);
    assert.deepEqual([large.status, code, scope, limit_bytes], [402, 'storage_cap_exceeded', 'per_file', 10]);
    assert.equal((await upload(id, { note: '🧾'.repeat(1000) }, 'a.txt', 'x'.repeat(10))).status, 201);
    await client.settings.update({ file_max_bytes: settings.file_max_bytes });
    assert.equal((await client.customers.list_files(id)).length, 1);
  });

  test("CU7, R3: deleted once, and only below its own customer; another's is not found", async () => {
    const { client } = app();
    const owner = await makeCustomer(app());
    const other = await makeCustomer(app());
    await upload(owner.id);
    const [file] = await client.customers.list_files(owner.id);
    assert.ok(file);
    await refused(client.customers.delete_file(other.id, file.id), 404, 'not_found');
    assert.equal((await app().request({ path: `/admin/api/customers/${other.id}/files/${file.id}/content` })).status, 404);
    await client.customers.delete_file(owner.id, file.id);
    await refused(client.customers.delete_file(owner.id, file.id), 404, 'not_found');
    assert.deepEqual(await client.customers.list_files(owner.id), []);
    await refused(client.customers.list_files(999_999), 404, 'not_found');
  });
});
