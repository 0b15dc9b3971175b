import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { endpointList } from '../../contract/index.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { readYaml } from '../helpers/deployment.ts';

/** The alerts and the dashboard ask for metrics, labels and values that a server has. */

const root = fileURLToPath(new URL('../..', import.meta.url));

const Alerts = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.object({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.object({ summary: z.string(), description: z.string().optional() }),
        }),
      ),
    }),
  ),
});
const Panel = z.looseObject({
  id: z.int(),
  type: z.string(),
  title: z.string(),
  gridPos: z.object({ h: z.int(), w: z.int(), x: z.int(), y: z.int() }),
  targets: z.array(z.object({ expr: z.string() }).loose()).default([]),
});
const Dashboard = z.looseObject({ uid: z.string(), title: z.string(), panels: z.array(Panel) });

const rules = Alerts.parse(readYaml('deploy/prometheus/alerts.yaml')[0]).groups.flatMap((group) => group.rules);
const dashboard = Dashboard.parse(JSON.parse(readFileSync(`${root}/deploy/grafana/backroom.json`, 'utf8')));
const queries = [...rules.map(({ expr }) => expr), ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];

let app: TestApp;
let metrics: string;
before(async () => {
  app = await startApp('sqlite');
  await app.firstRounds;
  // Node measures its loop and its collections only after some time; an answered request has a sample in any case.
  await app.request({ path: '/admin/api/orders' });
  metrics = (await app.request({ path: '/metrics', token: null })).text;
});
after(() => app.close());

/** Names of metrics in a query. `up` and `ALERTS` are Prometheus' own. */
const namesIn = (query: string): string[] => query.match(/\b(?:backroom|process|nodejs)_\w+/g) ?? [];

test('every metric of the alerts and the dashboard is one that /metrics has', () => {
  const wanted = [...new Set(queries.flatMap(namesIn))].sort();
  assert.ok(wanted.length >= 15, wanted.join());
  const types = new Map([...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => [name, type]));
  const isThere = (name: string): boolean => {
    const histogram = name.replace(/_(bucket|sum|count)$/, '');
    return types.has(name) || (histogram !== name && types.get(histogram) === 'histogram');
  };
  assert.deepEqual(
    wanted.filter((name) => !isThere(name)),
    [],
  );
});

test('every measurement of the project itself is in an alert or on the dashboard', () => {
  const own = [...metrics.matchAll(/^# TYPE (backroom_\S+)/gm)].flatMap(([, name = '']) => name);
  assert.ok(own.length >= 13, own.join());
  const used = queries.flatMap(namesIn);
  assert.deepEqual(
    own.filter((name) => !used.some((one) => one.startsWith(name))),
    [],
  );
});

test('labels and their values exist', () => {
  const sample = /^backroom_request_seconds_count\{(.*?)\} /m.exec(metrics)?.[1] ?? assert.fail('no sample');
  assert.deepEqual(
    [...sample.matchAll(/(\w+)="/g)].map(([, name]) => name),
    ['endpoint', 'status'],
  );
  const ids = new Set([...endpointList.map(({ id }) => id), 'none']);
  const statuses = new Set(['success', 'failed', 'timed_out', 'interrupted', 'cancelled', '5..']);
  let seen = 0;
  for (const query of queries) {
    for (const [, label = '', value = ''] of query.matchAll(/\b(endpoint|status)[!=]?[=~]+"([^"]+)"/g)) {
      for (const part of value.split('|')) {
        seen += 1;
        assert.ok((label === 'endpoint' ? ids : statuses).has(part), `${label} ${part}`);
      }
    }
  }
  assert.ok(seen > 10);
});

test('there is an alert for each thing that needs a person', () => {
  const names = rules.map(({ alert }) => alert);
  assert.equal(new Set(names).size, names.length);
  for (const name of ['NoRunner', 'QueueGrows', 'RunsInterrupted', 'MailWaits', 'Errors', 'StoreNotReady', 'DiskFull', 'Down'])
    assert.ok(names.includes(`Backroom${name}`), name);
});

test('the panels of the dashboard have ids of their own and do not overlap', () => {
  const { panels } = dashboard;
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const cells = new Set<string>();
  for (const { title, gridPos } of panels) {
    assert.ok(gridPos.x + gridPos.w <= 24, title);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.ok(!cells.has(`${x}/${y}`), `${title} lies on another panel`);
        cells.add(`${x}/${y}`);
      }
  }
  for (const { type, title, targets } of panels) assert.equal(targets.length > 0, type !== 'row', title);
});

const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: root, encoding: 'utf8' });

test('promtool finds no fault in the alerts, and each fires when it should and not otherwise', {
  skip: promtool('--version').status !== 0 && 'promtool is not installed',
}, () => {
  const check = promtool('check', 'rules', 'deploy/prometheus/alerts.yaml');
  assert.equal(check.status, 0, check.stdout + check.stderr);
  const tests = promtool('test', 'rules', 'test/deploy/alerts.promtool.yaml');
  assert.equal(tests.status, 0, tests.stdout + tests.stderr);
});

test('what promtool tests has each alert', () => {
  const text = readFileSync(`${root}/test/deploy/alerts.promtool.yaml`, 'utf8');
  assert.deepEqual(
    rules.map(({ alert }) => alert).filter((name) => !text.includes(name)),
    [],
  );
});
