import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathProblem } from '../../runner/api-path.ts';

const accepted = [
  '/orders',
  '/orders/12',
  '/orders?search=a%20b&page=2',
  '/customers?search=Zo%C3%AB',
  '/files/a.b',
  '/orders?next=/../x',
  '/x/...',
  '/themes/1/templates/a%20b%C3%BC',
  '/orders?next=%61',
];
const refused = [
  '',
  'orders',
  'http://evil/orders',
  '//evil/orders',
  '/../healthz',
  '/orders/..',
  '/orders/../../../metrics',
  '/orders/./1',
  '/%2e%2e/metrics',
  '/orders/%2E./x',
  '/orders%2f..%2fx',
  '/orders%5c..',
  '/orders\\..\\x',
  '/orders#x',
  '/orders/ü',
  '/orders/a b',
  '/orders\r\nHost: evil',
  '/orders\u0000',
  '/orders%00',
  '/a//b',
  '/orders/"x"',
  '/runner/%63laims',
  '/%52unner/claims',
  '/runner/runs/%31/memory',
  '/ai%2dtasks/1/runs/1',
  '/ai-tasks/1/run%73/1',
  '/access%5Fgroups',
  '/a%7E',
];

for (const path of accepted) test(`accepted: ${path}`, () => assert.equal(pathProblem(path), null));
for (const path of refused) test(`refused: ${JSON.stringify(path)}`, () => assert.notEqual(pathProblem(path), null));
