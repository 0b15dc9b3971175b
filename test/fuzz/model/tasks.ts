import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { z } from 'zod';
import { act, expectRecord, idOf, read } from './act.ts';
import { type Author, type Model, manner, NOBODY, nth, type Play, pick, step, stepsOf, type Task } from './model.ts';

/** Tasks, and the way of their versions: pending, approved, rejected, revoked. */

const source = fc.constantFrom('log(1)', 'log("Straße 🙂")');
const by = fc.constantFrom<Author[]>('owner', 'colleague');
const permissions = ['admin_api.orders.read'];
const declared = (source_code: string) => ({ source_code, permissions, parameters: [] });
const tokenOf = ({ colleagueToken }: Play, author: Author) => (author === 'colleague' ? { token: colleagueToken } : {});

const changePolicy = step(
  { policy: fc.constantFrom('author' as const, 'second_admin' as const, 'second_admin' as const), manner },
  async ({ session, model }, { policy, manner: how }) => {
    const raises = policy !== model.policy;
    const body = { approval_policy: policy };
    if (await act(session, { id: 'settings.update', path: '/settings', body, manner: how, refusal: null, raises })) model.policy = policy;
  },
);

const createTask = step(
  { name: fc.constantFrom('Report', 'Cleanup'), source, author: by, manner },
  async (play, { name, source: code, author, manner: how }) => {
    const { session, model } = play;
    const body = { name, description: '', ...declared(code) };
    const answer = await act(session, {
      id: 'ai_tasks.create',
      path: '/ai-tasks',
      body,
      manner: how,
      ...tokenOf(play, author),
      refusal: null,
    });
    if (!answer) return;
    const task: Task = { name, description: '', deleted: false, versions: new Map(), current: null };
    model.tasks.set(idOf(answer, 'task_id'), task);
    addVersion(model, task, idOf(answer, 'version_id'), { source_code: code, author });
  },
);

const changeTask = step(
  {
    n: nth,
    body: fc.record(
      { name: fc.constantFrom('Report', 'Other'), description: fc.constantFrom('', 'Daily') },
      { requiredKeys: [], noNullPrototype: true },
    ),
    manner,
  },
  async ({ session, model }, { n, body, manner: how }) => {
    const [id, task] = pick(model.tasks, n) ?? [];
    if (id === undefined || task === undefined) return;
    const refusal = task.deleted ? 'task_deleted' : null;
    const wanted = { ...task, ...body };
    const raises = wanted.name !== task.name || wanted.description !== task.description;
    if (await act(session, { id: 'ai_tasks.update', path: `/ai-tasks/${id}`, body, manner: how, refusal, raises }))
      model.tasks.set(id, wanted);
  },
);

const deleteTask = step({ n: nth, manner }, async ({ session, model }, { n, manner: how }) => {
  const [id = NOBODY, task] = pick(model.tasks, n) ?? [];
  const refusal = task ? null : 'not_found';
  const raises = task?.deleted === false;
  if (await act(session, { id: 'ai_tasks.delete', path: `/ai-tasks/${id}`, manner: how, refusal, raises })) if (task) task.deleted = true;
});

const createVersion = step({ n: nth, source, author: by, manner }, async (play, { n, source: code, author, manner: how }) => {
  const { session, model } = play;
  const [id, task] = pick(model.tasks, n) ?? [];
  if (id === undefined || task === undefined) return;
  const refusal = task.deleted ? 'task_deleted' : null;
  const path = `/ai-tasks/${id}/versions`;
  const answer = await act(session, {
    id: 'ai_tasks.create_version',
    path,
    body: declared(code),
    manner: how,
    ...tokenOf(play, author),
    refusal,
    raises: true,
  });
  if (answer) addVersion(model, task, idOf(answer, 'version_id'), { source_code: code, author });
});

const approve = step(
  { n: nth, m: nth, as: by, wrong: fc.constantFrom(false, false, true), blind: fc.boolean(), manner },
  async (play, { n, m, as, wrong, blind, manner: how }) => {
    const [id, task] = pick(play.model.tasks, n) ?? [];
    const [versionId, version] = (task && pick(task.versions, m)) ?? [];
    if (!task || versionId === undefined || !version) return;
    const refusal = task.deleted
      ? 'task_deleted'
      : version.author === as
        ? 'self_approval'
        : version.state !== 'pending'
          ? 'already_decided'
          : wrong
            ? 'version_changed'
            : version.asked !== null && blind
              ? 'changes_requested'
              : null;
    const body = {
      source_sha256: createHash('sha256')
        .update(`${version.source_code}${wrong ? ' ' : ''}`)
        .digest('hex'),
      permissions,
      change_request_id: blind ? null : version.asked,
    };
    const path = `/ai-tasks/${id}/versions/${versionId}/approve`;
    if (await act(play.session, { id: 'ai_tasks.approve_version', path, body, manner: how, ...tokenOf(play, as), refusal, raises: true }))
      version.state = 'approved';
    makeNewestApprovedCurrent(task);
  },
);

const requestChanges = step({ n: nth, m: nth, as: by, manner }, async (play, { n, m, as, manner: how }) => {
  const [id, task] = pick(play.model.tasks, n) ?? [];
  const [versionId, version] = (task && pick(task.versions, m)) ?? [];
  if (!task || versionId === undefined || !version) return;
  const refusal = task.deleted
    ? 'task_deleted'
    : version.author === as
      ? 'self_approval'
      : version.state !== 'pending'
        ? 'already_decided'
        : null;
  const path = `/ai-tasks/${id}/versions/${versionId}`;
  const body = { comment: 'Shorter' };
  const asked = { path: `${path}/request-changes`, body, manner: how, ...tokenOf(play, as), refusal, raises: true };
  if (await act(play.session, { id: 'ai_tasks.request_changes', ...asked })) version.asked = await requestOn(play, path);
});

const reject = step({ n: nth, m: nth, as: by, manner }, async (play, { n, m, as, manner: how }) => {
  const [id, task] = pick(play.model.tasks, n) ?? [];
  const [versionId, version] = (task && pick(task.versions, m)) ?? [];
  if (!task || versionId === undefined || !version) return;
  const refusal = version.state === 'pending' ? null : 'already_decided';
  const path = `/ai-tasks/${id}/versions/${versionId}/reject`;
  const body = { reason: 'No' };
  if (await act(play.session, { id: 'ai_tasks.reject_version', path, body, manner: how, ...tokenOf(play, as), refusal, raises: true }))
    version.state = 'rejected';
});

const revoke = step({ n: nth, m: nth, as: by, manner }, async (play, { n, m, as, manner: how }) => {
  const [id, task] = pick(play.model.tasks, n) ?? [];
  const [versionId, version] = (task && pick(task.versions, m)) ?? [];
  if (!task || versionId === undefined || !version) return;
  const refusal = version.state === 'approved' ? null : version.state === 'revoked' ? 'already_decided' : 'version_not_approved';
  const path = `/ai-tasks/${id}/versions/${versionId}/revoke`;
  if (await act(play.session, { id: 'ai_tasks.revoke_version', path, body: {}, manner: how, ...tokenOf(play, as), refusal, raises: true }))
    version.state = 'revoked';
  makeNewestApprovedCurrent(task);
  await expectRecord(play.session, `/ai-tasks/${id}/versions/${versionId}`, {
    approval: version.state,
    source_code: version.source_code,
  });
});

export const taskSteps = stepsOf({
  make: [changePolicy, createTask],
  change: [changeTask, createVersion, createVersion, approve, approve, approve, requestChanges, reject, revoke],
  remove: [deleteTask],
});

const Requested = z.object({ change_request: z.object({ id: z.int() }) });

async function requestOn({ session }: Play, path: string): Promise<number> {
  return Requested.parse((await read(session, path)).body).change_request.id;
}

function addVersion({ policy }: Model, task: Task, id: number, version: { source_code: string; author: Author }): void {
  task.versions.set(id, { ...version, asked: null, state: policy === 'author' ? 'approved' : 'pending' });
  makeNewestApprovedCurrent(task);
}

function makeNewestApprovedCurrent(task: Task): void {
  const approved = [...task.versions].filter(([, { state }]) => state === 'approved').map(([id]) => id);
  task.current = approved.length === 0 ? null : Math.max(...approved);
}
