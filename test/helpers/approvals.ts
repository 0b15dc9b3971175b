import { before } from 'node:test';
import { z } from 'zod';
import type { Permission } from '../../contract/permissions.ts';
import type { TestApp } from './app.ts';
import { type Person, person } from './people.ts';

const StringList = z.array(z.string());
const VERSION = { source_code: 'log(1);', parameters: [] };

type Policy = 'author' | 'added_permissions' | 'second_admin';

/** Two admins who may write and approve versions, and what they do. Call it inside a suite: a `before` makes the admins. */
export function approvals(app: () => TestApp) {
  const people: { author?: Person; approver?: Person } = {};
  before(async () => {
    const permissions: Permission[] = [
      'admin_api.ai_tasks.write',
      'admin_api.ai_tasks.approve',
      'admin_api.customers.write',
      'admin_api.orders.write',
    ];
    people.author = await person(app(), { permissions });
    people.approver = await person(app(), { permissions });
  });
  const known = (name: 'author' | 'approver'): Person => {
    const found = people[name];
    if (!found) throw new Error(`there is no ${name} before the first test`);
    return found;
  };
  const author = () => known('author');
  const approver = () => known('approver');
  const READ: Permission = 'admin_api.orders.read';
  const tasks = (token?: string) => (token === undefined ? app().client : app().clientFor(token)).ai_tasks;
  const policy = (approval_policy: Policy) => app().client.settings.update({ approval_policy });
  async function makeTask(permissions: Permission[] = [READ], token = author().token) {
    const made = await tasks(token).create({ name: 'n', description: '', ...VERSION, permissions });
    return { id: made.task_id, versionId: made.version_id, approval: made.approval };
  }
  const addVersion = (id: number, permissions: Permission[] = [READ], token = author().token) =>
    tasks(token).create_version(id, { ...VERSION, permissions });
  async function seen(id: number, versionId: number) {
    const { source_sha256, permissions, mail_to, http_allow, secrets, may_start } = await tasks().get_version(id, versionId);
    return { source_sha256, permissions: StringList.parse(JSON.parse(permissions)), mail_to, http_allow, secrets, may_start };
  }
  const approve = async (id: number, versionId: number, token = approver().token) =>
    tasks(token).approve_version(id, versionId, await seen(id, versionId));
  const current = async (id: number) => (await tasks().get(id)).task.current_version_id;
  const stateOf = async (id: number, versionId: number) => {
    const { approval, approved_by } = await tasks().get_version(id, versionId);
    return [approval, approved_by];
  };
  const revoke = (id: number, versionId: number) => tasks(approver().token).revoke_version(id, versionId);
  return { tasks, policy, author, approver, makeTask, addVersion, seen, approve, current, stateOf, revoke };
}
