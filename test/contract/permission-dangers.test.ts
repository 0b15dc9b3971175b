import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWrite } from '../../contract/endpoint.ts';
import { endpointList } from '../../contract/index.ts';
import { judgedPermission } from '../../contract/permission-dangers.ts';
import { taskPermissions } from '../../contract/permissions.ts';
import { readsAboutPeople } from '../../contract/personal-data.ts';

const ofShop = taskPermissions.filter((one) => one.startsWith('admin_api.'));

test('every permission of a version is in the group of what its endpoints do, and is dangerous as they are', () => {
  for (const permission of ofShop) {
    const { group, dangers } = judgedPermission(permission);
    const isRead = permission.endsWith('.read');
    assert.equal(group === 'reads', isRead, permission);
    assert.equal(dangers.includes('people'), readsAboutPeople(permission), `${permission} and people`);
    const needing = endpointList.filter(
      (e) => (e.taskPermission === undefined ? e.permission : e.taskPermission) === permission && isWrite(e),
    );
    const deletes = needing.some(({ method }) => method === 'DELETE');
    assert.equal(dangers.includes('deletes'), deletes, `${permission} and deleting`);
    const isAboutMoney = needing.some(({ id }) =>
      /payment|credit|voucher|tax_rate|shipping_method|discount|products\.(create|update)|subscriptions/.test(id),
    );
    assert.equal(dangers.includes('money'), isAboutMoney, `${permission} and money`);
  }
});

test('what reaches others outside is dangerous: mails, requests, the language model, grants; what is not known counts as that', () => {
  for (const one of [
    'mail_send',
    'http_request',
    'llm',
    'mail_to:customers',
    'http_allow:https://a.example/*',
    'secret:key',
    'admin_api.new.read',
  ]) {
    assert.deepEqual(judgedPermission(one), { group: 'leaves', dangers: ['outside'] }, one);
  }
  for (const one of ['file_upload', 'file_download', 'prompt_input', 'tasks_start', 'may_start:4'])
    assert.deepEqual(judgedPermission(one).dangers, [], one);
});
