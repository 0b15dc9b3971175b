import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Endpoint, isOwnTaskRight, isWrite, taskLiterals } from '../../contract/endpoint.ts';
import { errorCodes } from '../../contract/errors.ts';
import { endpointList, endpoints } from '../../contract/index.ts';
import { isKnownPermission, isTaskPermission } from '../../contract/permissions.ts';
import { firstEndpoints } from './first-endpoints.ts';

const withoutNames = (path: string): string => path.replace(/\{\w+\}/g, '{}');
const needOf = ({ permission, taskPermission, ownRun }: Endpoint): string =>
  [
    permission ?? 'admin',
    ...(taskPermission === undefined ? [] : [`task: ${taskPermission ?? 'closed'}`]),
    ...(ownRun ? ['own run'] : []),
  ].join(', ');
const rowKey = (row: readonly unknown[]): string => row.join(' ');

test('R1: the first 81 endpoints are declared as they were published', () => {
  const declared = new Set(endpointList.map((e) => rowKey([e.method, withoutNames(e.path), e.permission, e.status])));
  assert.equal(firstEndpoints.length, 81);
  assert.deepEqual(
    firstEndpoints.map(rowKey).filter((row) => !declared.has(row)),
    [],
  );
});

test('every endpoint is listed under its own id', () => {
  for (const [key, e] of Object.entries(endpoints)) assert.equal(key, e.id);
});

test('ids and what each endpoint needs never change: they are operationIds, log actions, client and script methods', (t) => {
  const line = (e: Endpoint) => `${e.id} ${e.method} ${e.path} ${needOf(e)}\n`;
  const lines = endpointList.map(line).sort().join('');
  t.assert.fileSnapshot(lines, fileURLToPath(new URL('endpoints.txt', import.meta.url)), { serializers: [(text) => text] });
});

test('TK5, TK11: a task may be granted reading and writing of each resource of the shop, and of none that only admins reach', () => {
  const resources = `pages access_groups products orders customers subscriptions files media vouchers discount_groups pickup_locations
    order_statuses shipping_methods tax_rates themes inquiries notifications logs dashboard`.split(/\s+/);
  for (const kind of ['read', 'write']) {
    for (const resource of resources) assert.ok(isTaskPermission(`admin_api.${resource}.${kind}`), resource);
    for (const resource of ['ai_tasks', 'task_secrets', 'task_variables', 'settings', 'webhooks', 'admins', 'preferences', 'runner']) {
      assert.ok(isKnownPermission(`admin_api.${resource}.${kind}`), resource);
      assert.ok(!isTaskPermission(`admin_api.${resource}.${kind}`), resource);
    }
  }
});

test('no two endpoints share a method and path', () => {
  const routes = endpointList.map((e) => `${e.method} ${withoutNames(e.path)}`);
  assert.equal(new Set(routes).size, routes.length);
});

test('every endpoint uses only known error codes and permissions', () => {
  for (const e of endpointList) {
    for (const code of e.refusals ?? []) assert.ok(code in errorCodes, `${e.id}: ${code}`);
    if (e.permission !== null) assert.ok(isKnownPermission(e.permission), e.id);
    if (e.taskPermission != null) assert.ok(isTaskPermission(e.taskPermission) || isOwnTaskRight(e.taskPermission), e.id);
    if (isOwnTaskRight(e.taskPermission ?? '')) assert.ok(e.path.includes('{id}'), `${e.id} must name the task`);
    if (e.permission === null) assert.notEqual(e.taskPermission, undefined, `${e.id} must say what a task needs`);
  }
});

test('writes need a write permission, reads a read permission', () => {
  for (const e of endpointList) {
    const permission = e.permission ?? e.taskPermission;
    if (permission == null || e.id.startsWith('runner.')) continue;
    if (taskLiterals.some((literal) => literal === permission)) continue;
    // Whoever reads a version may say something about it, which changes nothing of it (spec AP9).
    if (/^ai_tasks\.\w+_comment$/.test(e.id)) assert.equal(permission, 'admin_api.ai_tasks.read');
    else assert.match(permission, isWrite(e) ? /\.(write|approve)$/ : /\.read$/, e.id);
  }
});

test('an endpoint declares a response body exactly if its success code has one', () => {
  for (const e of endpointList) assert.equal(e.response !== undefined, e.status !== 204 && !e.stream && !e.binary, e.id);
});

test('every Location header leads to a GET endpoint of the contract', () => {
  const readable = new Set(endpointList.filter((e) => e.method === 'GET').map((e) => withoutNames(e.path)));
  for (const e of endpointList) if (e.location) assert.ok(readable.has(withoutNames(e.location)), e.id);
});

test('the record of an endpoint is named in its path', () => {
  for (const e of endpointList) {
    if (e.id.startsWith('runner.')) continue;
    if (e.record === 'settings') continue;
    if (e.record) assert.match(e.path, /\{/, e.id);
    else assert.doesNotMatch(e.path, /\{/, `${e.id} has a path parameter but no record`);
  }
});
