import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const EXAMPLES = fileURLToPath(new URL('../../tasks-examples/', import.meta.url));
const COMMAND = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

type Ended = { code: number; out: string; err: string };

function taskTest(args: readonly string[]): Promise<Ended> {
  const env = { ...process.env, NO_COLOR: '1' };
  return new Promise((done) => {
    execFile(process.execPath, ['--disable-warning=ExperimentalWarning', COMMAND, 'task', 'test', ...args], { env }, (error, out, err) => {
      done({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

describe('task test', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backroom tasks [1] '));
    for (const file of ['low-stock-report.ts', 'low-stock-report.task.json']) await copyFile(join(EXAMPLES, file), join(folder, file));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function putTest(source: string, name = 'low-stock-report'): Promise<void> {
    await writeFile(
      join(folder, `${name}.test.ts`),
      `import assert from 'node:assert/strict';
       import { test } from 'node:test';
       import { openShop } from 'backroom/testing';
       ${source}`,
    );
  }

  test('a failed test names its place, and the exit code is not 0', async () => {
    await putTest(`test('three are low', async () => {
      const shop = await openShop();
      const { result } = await shop.run();
      assert.partialDeepStrictEqual(result, { low: 3 });
    });`);
    const { code, out } = await taskTest(['--dir', folder]);
    assert.equal(code, 1);
    assert.match(out, /✖ three are low/);
    assert.match(out, /low-stock-report\.test\.ts:7/);
    assert.match(out, /fail 1/);
  });

  test('a task is tested in a shop of another time zone and currency, with its sample data', async () => {
    const task = { name: 'Day', description: '', permissions: ['admin_api.orders.read'], parameters: [] };
    await writeFile(join(folder, 'day.task.json'), JSON.stringify(task));
    await writeFile(
      join(folder, 'day.ts'),
      `import { admin, shop } from 'backroom';
       export default async function main() {
         const { data: [order] } = await admin.orders.list({ per_page: 1 });
         return [order.currency, shop.day('2026-01-05T20:00:00Z'), shop.money(1999), shop.currency_exponent];
       }`,
    );
    await putTest(
      `test('knows the shop', async () => {
        const settings = { timezone: 'Asia/Tokyo', currency: 'JPY', locale: 'ja' };
        const shop = await openShop({ settings, sample: { orders: 20, now: new Date('2026-06-30T12:00:00Z') } });
        const { status, result, error } = await shop.run();
        assert.equal(status, 'success', error);
        assert.deepEqual(result, ['JPY', '2026-01-06', '￥1,999', 0]);
      });`,
      'day',
    );
    const { code, out } = await taskTest(['day', '--dir', folder]);
    assert.equal(code, 0, out);
  });

  test('a run that sleeps and waits goes on as the clock is moved, in the order of times, and by events', async () => {
    const task = { name: 'Remind', description: '', permissions: ['admin_api.orders.read'], parameters: [] };
    await writeFile(join(folder, 'remind.task.json'), JSON.stringify(task));
    await writeFile(
      join(folder, 'remind.ts'),
      `import { log, parameters, sleep, waitFor } from 'backroom';
       export default async function main() {
         const began = Date.now();
         const days = () => Math.round((Date.now() - began) / 864000) / 100;
         await sleep(Number(parameters.days) * 86_400_000);
         log('slept ' + days());
         const paid = await waitFor('order.paid', { match: { order_id: 7 }, timeout: 10 * 86_400_000 });
         return [paid === null ? null : paid.data.total, days()];
       }`,
    );
    await putTest(
      `test('reminds', async () => {
        const shop = await openShop();
        const before = shop.clock.now().getTime();
        const [late, soon] = [shop.run({ days: 9 }), shop.run({ days: 2 })];
        await shop.clock.advance('3 days');
        assert.equal((await shop.admin.ai_tasks.list_all_runs({ waiting_reason: 'sleep' })).data.length, 1);
        await shop.emit({ type: 'order.paid', data: { order_id: 8, total: 1, currency: 'EUR' } });
        await shop.emit({ type: 'order.paid', data: { order_id: 7, total: 1900, currency: 'EUR' } });
        const first = await soon;
        assert.deepEqual([first.log[0], first.result], ['slept 2', [1900, 3]], first.log.join());
        await shop.clock.advance('P2W');
        await shop.clock.advance(3 * 86_400_000);
        const last = await late;
        assert.deepEqual([last.log[0], last.result], ['slept 9', [null, 19]], last.log.join());
        assert.equal(Math.round((shop.clock.now().getTime() - before) / 86_400_000), 20);
        assert.ok(Math.abs(Date.now() - shop.clock.now().getTime()) < 1000);
        await assert.rejects(shop.clock.advance('soon'), /takes milliseconds, '3 days'/);
        await assert.rejects(shop.emit({ type: 'order.payed', data: {} }), /has no event "order.payed"/);
        await assert.rejects(shop.emit({ type: 'order.paid', data: { order_id: 'x' } }), /order_id: .*total/);
      });`,
      'remind',
    );
    const { code, out } = await taskTest(['remind', '--dir', folder]);
    assert.equal(code, 0, out);
  });

  test('hooks, signals, schedules and gathered starts go by the events and the clock of the test', async () => {
    const parameters = [
      { name: 'wait', kind: 'string' },
      { name: 'match', kind: 'json' },
      { name: 'sent', kind: 'json' },
    ];
    const task = { name: 'Starts', description: '', permissions: ['admin_api.products.read', 'admin_api.customers.read'], parameters };
    await writeFile(join(folder, 'starts.task.json'), JSON.stringify(task));
    await writeFile(
      join(folder, 'starts.ts'),
      `import { parameters, waitFor } from 'backroom';
       export default async function main() {
         if (parameters.wait) {
           const event = await waitFor(String(parameters.wait), { match: (parameters.match ?? {}) as {}, timeout: 86_400_000 });
           return event && [event.type, event.data];
         }
         const { event, events, sent } = parameters as any;
         return [new Date().toISOString().slice(5, 16), events?.length ?? event?.gathered ?? event?.type ?? sent?.body ?? null];
       }`,
    );
    await putTest(
      `const told = async (shop, from) => (await shop.runs()).slice(from).map(({ result }) => result[1]);
       test('starts', async () => {
         const shop = await openShop({ settings: { timezone: 'Europe/Berlin' } });
         const { ai_tasks } = shop.admin;
         const task = await shop.task();
         await ai_tasks.create_hook(task, { name: 'courier', parameter: 'sent' });
         const waiting = shop.run({ wait: 'hook:courier', match: { parcel: 7 } });
         await shop.emit({ type: 'hook:courier', data: { body: { parcel: 8 } } });
         const headers = { 'X-GitHub-Event': 'push', Authorization: 'a secret' };
         await shop.emit({ type: 'hook:courier', data: { body: { parcel: 7 }, headers, query: { a: '1' } } });
         const heard = { 'content-type': 'application/json', 'x-github-event': 'push' };
         assert.deepEqual((await waiting).result, ['hook:courier', { headers: heard, query: { a: '1' }, body: { parcel: 7 } }]);
         assert.deepEqual(await told(shop, 1), [{ parcel: 8 }]);
         await assert.rejects(shop.emit({ type: 'hook:none', data: {} }), /the task has no open hook "none"; it has courier/);

         const [keyed, late] = [shop.run({ wait: 'signal:go' }), shop.run({ wait: 'signal' })];
         assert.equal(await shop.signal('go', [1]), true);
         assert.equal(await shop.signal('none', 1), false);
         const [{ id }] = (await ai_tasks.list_all_runs({ waiting_reason: 'signal' })).data;
         assert.equal(await shop.signal(id, { a: 1 }), true);
         assert.deepEqual([(await keyed).result, (await late).result], [['signal:go', [1]], ['signal', { a: 1 }]]);

         await ai_tasks.create_trigger(task, { event: 'stock.low', start: { batch: { max: 100, ms: 60_000 } } });
         await ai_tasks.create_trigger(task, { event: 'customer.created', start: { debounce: { key: 'customer_id', ms: 5000 } } });
         await ai_tasks.create_trigger(task, { event: 'inquiry.received', start: { delay: 3_600_000 } });
         for (const product_id of [1, 2, 3]) await shop.emit({ type: 'stock.low', data: { product_id, stock: 1, threshold: 5 } });
         for (const customer_id of [1, 1, 2]) await shop.emit({ type: 'customer.created', data: { customer_id } });
         await shop.emit({ type: 'inquiry.received', data: { inquiry_id: 1, customer_id: null } });
         assert.deepEqual(await told(shop, 4), []);
         await shop.clock.advance('6 seconds');
         assert.deepEqual(await told(shop, 4), [2, 1]);
         await shop.clock.advance('1 minute');
         assert.deepEqual(await told(shop, 6), [3]);
         await shop.clock.advance('58 minutes');
         assert.deepEqual(await told(shop, 7), []);
         await shop.clock.advance('1 minute');
         assert.deepEqual(await told(shop, 7), ['inquiry.received']);

         const year = shop.clock.now().getUTCFullYear() + 1;
         const sunday = 31 - new Date(Date.UTC(year, 2, 31)).getUTCDay();
         await shop.clock.advance(Date.UTC(year, 2, sunday - 1) - shop.clock.now().getTime());
         await ai_tasks.create_schedule(task, { cron: '30 2 * * *' });
         await shop.clock.advance('3 days');
         const day = (n) => new Date(Date.UTC(year, 2, sunday + n)).toISOString().slice(5, 10);
         const times = (await shop.runs()).slice(8).map(({ result }) => result[0]);
         assert.deepEqual(times, [day(-1) + 'T01:30', day(0) + 'T01:00', day(1) + 'T00:30']);
       });`,
      'starts',
    );
    const { code, out } = await taskTest(['starts', '--dir', folder]);
    assert.equal(code, 0, out);
  });

  test('SD1, GS3: schedules, sleeps, timers and starts with a ttl go by local and by real time when the clocks change', async () => {
    const parameters = ['until', 'hours', 'timer'].map((name) => ({ name, kind: 'string' }));
    await writeFile(join(folder, 'clocks.task.json'), JSON.stringify({ name: 'Clocks', description: '', permissions: [], parameters }));
    await writeFile(
      join(folder, 'clocks.ts'),
      `import { parameters, shop, sleep } from 'backroom';
       export default async function main() {
         const { until, hours, timer } = parameters as { until?: string; hours?: string; timer?: string };
         const local = () => Temporal.Now.zonedDateTimeISO(shop.timezone).toString().slice(5, 22);
         const from = Date.now();
         if (until) await sleep(Temporal.PlainDateTime.from(until).toZonedDateTime(shop.timezone).epochMilliseconds - Date.now());
         if (hours) await sleep(Number(hours) * 3_600_000);
         if (timer) await new Promise((done) => setTimeout(done, Number(timer) * 3_600_000));
         return [local(), Math.round((Date.now() - from) / 3_600_000), shop.today()];
       }`,
    );
    await putTest(
      `const of = (runs) => runs.map(({ result }) => result[0].slice(0, 11));
       /** A shop at the eve of a change of the clocks, an hour before midnight. */
       async function shopBefore(day) {
         const shop = await openShop({ settings: { timezone: 'Europe/Budapest' } });
         const eve = Temporal.PlainDate.from(day).subtract({ days: 1 }).toZonedDateTime({ timeZone: 'Europe/Budapest', plainTime: '23:00' });
         await shop.clock.advance(eve.epochMilliseconds - shop.clock.now().getTime());
         return shop;
       }
       const year = new Date().getUTCFullYear() + 1;
       /** The last Sunday of a month of 31 days. */
       const change = (month) => {
         const last = Temporal.PlainDate.from({ year, month, day: 31 });
         return last.subtract({ days: last.dayOfWeek % 7 });
       };
       const [spring, autumn] = [change(3), change(10)];
       const day = (date, days) => date.add({ days }).toString().slice(5);
       for (const [name, date, first, passed] of [['spring', spring, '03:00', 10], ['autumn', autumn, '02:30', 12]])
         test(name, async () => {
           const shop = await shopBefore(date.toString());
           const task = await shop.task();
           await shop.admin.ai_tasks.create_schedule(task, { cron: '30 2 * * *' });
           const runs = [shop.run({ until: date.toString() + 'T10:00' }), shop.run({ hours: '11' }), shop.run({ timer: '11' })];
           await shop.clock.advance('14 hours');
           const [until, hours, timer] = (await Promise.all(runs)).map(({ result }) => result);
           const at = (hour) => day(date, 0) + 'T' + String(hour).padStart(2, '0') + ':00';
           assert.deepEqual([until[0].slice(0, 11), until[1]], [at(10), passed]);
           const real = at(passed === 10 ? 11 : 9);
           assert.deepEqual([hours[0].slice(0, 11), hours[1], timer[0].slice(0, 11), timer[1]], [real, 11, real, 11]);
           assert.equal(until[2], date.toString());
           const scheduled = async () => of((await shop.runs()).filter(({ result }) => result[1] === 0));
           assert.deepEqual(await scheduled(), [day(date, 0) + 'T' + first]);
           await shop.clock.advance('24 hours');
           assert.deepEqual(await scheduled(), [day(date, 0) + 'T' + first, day(date, 1) + 'T02:30'], 'once a day');
         });
       for (const [name, date, local] of [['spring', spring, '05:00'], ['autumn', autumn, '03:00']])
         test('a start that is put off over the change in ' + name, async () => {
           const shop = await shopBefore(date.toString());
           await shop.clock.advance('2 hours');
           await shop.admin.ai_tasks.create_trigger(await shop.task(), { event: 'stock.low', start: { delay: 3 * 3_600_000, ttl: 3.5 * 3_600_000 } });
           await shop.emit({ type: 'stock.low', data: { product_id: 1, stock: 1, threshold: 5 } });
           await shop.clock.advance(3 * 3_600_000 - 60_000);
           assert.deepEqual(await shop.runs(), []);
           await shop.clock.advance('1 minute');
           assert.deepEqual(of(await shop.runs()), [day(date, 0) + 'T' + local]);
         });`,
      'clocks',
    );
    const { code, out } = await taskTest(['clocks', '--dir', folder]);
    assert.equal(code, 0, out);
  });

  test('a task that starts others is tested with doubles of them, and what it started is seen', async () => {
    const task = { name: 'Leads', description: '', permissions: ['tasks_start'], parameters: [], may_start: [77] };
    await writeFile(join(folder, 'leads.task.json'), JSON.stringify(task));
    await writeFile(
      join(folder, 'leads.ts'),
      `import { tasks } from 'backroom';
       export default async function main() {
         await tasks.start('Tidy up');
         const rows = await tasks.run('Collect', { day: 1 }, { sample: ['made up'] });
         const failure = await tasks.run('Breaks', {}, { sample: null }).then(() => null, (error) => error.message);
         return { rows, failure };
       }`,
    );
    await putTest(
      `test('leads', async () => {
         const tasks = [
           { name: 'Collect', parameters: [{ name: 'day', kind: 'number' }], result: ['a', 'b'] },
           { name: 'Breaks', error: 'no luck' },
           { name: 'Tidy up' },
         ];
         const shop = await openShop({ tasks });
         const started = [{ name: 'Tidy up', parameters: {} }, { name: 'Collect', parameters: { day: 1 } }, { name: 'Breaks', parameters: {} }];
         const live = await shop.run();
         assert.equal(live.status, 'success', live.error ?? '');
         assert.deepEqual(live.result.rows, ['a', 'b']);
         assert.match(live.result.failure, /ended failed: Error: no luck$/);
         assert.deepEqual(live.started, started);
         const dry = await shop.run({}, { dryRun: true });
         assert.deepEqual([dry.result, dry.started], [{ rows: ['made up'], failure: null }, started]);
         const bare = await (await openShop()).run();
         assert.match(bare.error ?? '', /task_start_not_allowed/);
       });`,
      'leads',
    );
    const { code, out, err } = await taskTest(['--dir', folder, 'leads']);
    assert.equal(code, 0, out + err);
  });

  test('the test of a task sees the notifications and mails that it wrote, or in a dry run would write', async () => {
    await writeFile(
      join(folder, 'tells.task.json'),
      JSON.stringify({
        ...{ name: 'Tells', description: '', permissions: ['mail_send', 'admin_api.notifications.write'], parameters: [] },
        mail_to: ['ops@example.org'],
      }),
    );
    await writeFile(
      join(folder, 'tells.ts'),
      `import { mail, notify } from 'backroom';
       export default async function main() {
         await notify({ title: 'Low', body: 'Tea', link: '/products', severity: 'warning' });
         await mail({ to: 'ops@example.org', subject: 'Low', text: 'Tea' });
       }`,
    );
    await putTest(
      `test('told', async () => {
         const shop = await openShop();
         for (const dryRun of [true, false]) {
           const { status, error, notifications, mails } = await shop.run({}, { dryRun });
           assert.equal(status, 'success', error ?? '');
           assert.deepEqual(notifications, [{ title: 'Low', body: 'Tea', link: '/products', admins: null, severity: 'warning' }]);
           const plain = { html: null, reply_to: null, kind: 'transactional' };
           assert.deepEqual(mails, [{ to: 'ops@example.org', subject: 'Low', text: 'Tea', ...plain }]);
         }
       });`,
      'tells',
    );
    const { code, out } = await taskTest(['tells', '--dir', folder]);
    assert.equal(code, 0, out);
  });

  test('a call without its permission is refused as in a real shop, and a question without an answer ends the test', async () => {
    await writeFile(
      join(folder, 'asks.task.json'),
      JSON.stringify({ name: 'Asks', description: '', permissions: ['prompt_input'], parameters: [] }),
    );
    await writeFile(
      join(folder, 'asks.ts'),
      `import { admin, prompt } from 'backroom';
       export default async function main() {
         const { size } = await prompt({ label: 'Which?', fields: [{ name: 'size', kind: 'choice', options: ['S', 'M'], required: true }] });
         await admin.products.update(1, { name: String(size) });
       }`,
    );
    await putTest(
      `const shop = await openShop();
       test('refused', async () => {
         const { status, error, effects } = await shop.run({}, { answers: { size: 'M' } });
         assert.equal(status, 'failed');
         assert.match(error ?? '', /admin_api\\.products\\.write/);
         assert.deepEqual(effects, []);
       });
       test('left open', () => shop.run());
       test('refused to start', () => shop.run({}, { limits: { host_calls: 0 } }));`,
      'asks',
    );
    const { code, out } = await taskTest(['--dir', folder, 'asks']);
    assert.equal(code, 1);
    assert.match(out, /✔ refused/);
    assert.match(out, /✖ left open/);
    assert.match(out, /the run asks for size \(choice\), and `answers` does not have a value for each required field/);
    assert.match(out, /422 [a-z_]+: .*host_calls/);
    assert.doesNotMatch(out, /low-stock-report/);
  });

  test('requests to other systems are answered by the test, and none leaves the machine', async () => {
    await writeFile(
      join(folder, 'sends.task.json'),
      JSON.stringify({
        name: 'Sends',
        description: '',
        permissions: ['http_request'],
        http_allow: ['GET,POST https://api.example.com/v1/*'],
        parameters: [],
      }),
    );
    await writeFile(
      join(folder, 'sends.ts'),
      `import { http } from 'backroom';
       export default async function main() {
         const url = 'https://api.example.com/v1/orders';
         const { body } = await http.request({ url, sample: { body: [1] } });
         const told = await http.request({ method: 'POST', url, body: JSON.parse(body), sample: { status: 202 } }).then(
           ({ status }) => status,
           (error: any) => error.code,
         );
         return [body, told];
       }`,
    );
    await putTest(
      `const url = 'https://api.example.com/v1/orders';
       test('answered', async () => {
         const shop = await openShop({ http: [{ url, answer: { body: [7] } }, { method: 'POST', url, answer: { status: 201 } }] });
         const { result, requests } = await shop.run();
         assert.deepEqual(result, ['[7]', 201]);
         assert.deepEqual(requests.map(({ method, body }) => [method, body]), [['GET', null], ['POST', '[7]']]);
       });
       test('lost', async () => {
         const shop = await openShop({ http: ({ method }) => (method === 'GET' ? { body: [7] } : 'lost') });
         assert.deepEqual((await shop.run()).result, ['[7]', 'outcome_unknown']);
       });
       test('dry', async () => {
         const shop = await openShop();
         const { result, requests } = await shop.run({}, { dryRun: true });
         assert.deepEqual([result, requests], [['[1]', 202], []]);
       });`,
      'sends',
    );
    const { code, out } = await taskTest(['--dir', folder, 'sends']);
    assert.equal(code, 0, out);
    assert.match(out, /pass 3/);
  });

  test('the error for a missing task or test names it and says which tasks have tests', async () => {
    const refusal = async (...args: string[]): Promise<string> => {
      const { code, out, err } = await taskTest(args);
      assert.deepEqual([code, out], [2, '']);
      return err.trimEnd();
    };
    const tests = (await readdir(EXAMPLES)).filter((file) => file.endsWith('.test.ts')).sort();
    const tested = tests.map((file) => file.replace('.test.ts', '')).join(', ');
    assert.match(tested, /^abandoned-cart-mail, .*, welcome-note$/);
    assert.equal(
      await refusal('--dir', EXAMPLES, 'revenue-by-country'),
      `the task "revenue-by-country" has no test: "${join(EXAMPLES, 'revenue-by-country.test.ts')}" is missing; tasks with a test are: ${tested}`,
    );
    assert.match(
      await refusal('--dir', EXAMPLES, 'no-such'),
      new RegExp(`^there is no task "no-such" in ".*"; tasks with a test are: ${tested}$`),
    );
    assert.match(await refusal('--dir', join(folder, 'nowhere')), /^--dir: there is no folder ".*nowhere"$/);
    const empty = await mkdtemp(join(folder, 'empty-'));
    assert.match(await refusal('--dir', empty), /^no task in ".*" has a test: it is expected in NAME\.test\.ts, beside NAME\.ts$/);
    await writeFile(join(empty, 'alone.test.ts'), '');
    assert.match(await refusal('--dir', empty), /^the test ".*alone\.test\.ts" has no task: ".*alone\.task\.json" is missing$/);
    assert.match(await refusal('--only', 'this'), /Unknown option '--only'/);
  });
});
