import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { passAll } from '../helpers/fault-proxy.ts';
import { holdAt } from '../helpers/hold.ts';
import { ended, type Machines, startMachines, until } from '../helpers/machines.ts';
import { type Smtp, startSmtp } from '../helpers/smtp.ts';
import { engines, stopPostgres } from '../helpers/stores.ts';

const CALLS = 6;

const TELL = `export default async () => {
  for (let n = 0; n < ${CALLS}; n += 1) {
    const { mails } = await mail({ to: ['ops' + n + '@example.org', 'desk' + n + '@example.org'], subject: 'Mail ' + n, text: 'Text ' + n });
    await notify({ title: 'Notification ' + n, body: 'Two mails: ' + mails.length });
  }
};`;

/** SIGKILL ends the server between the commit of a call and its answer; each call still gives its mails and its notification once. */
describe('JO1: a run that writes mails and notifications while the server is killed', { timeout: 900_000 }, () => {
  after(stopPostgres);
  for (const engine of engines) describe(engine, () => suite(() => startMachines(engine)));
});

function suite(start: () => Promise<Machines>): void {
  let machines: Machines;
  let smtp: Smtp;
  before(async () => {
    machines = await start();
    smtp = await startSmtp();
    machines.startRunner();
  });
  after(async () => {
    await machines.close();
    await smtp.close();
  });

  for (const lost of ['/mails', '/notifications']) {
    test(`the answer to POST ${lost} is lost with the server`, async () => {
      const { client, proxy } = machines;
      const { task_id: taskId } = await client.ai_tasks.create({
        ...{ name: `Tell ${lost}`, description: '', source_code: TELL, parameters: [] },
        ...{ permissions: ['mail_send', 'admin_api.notifications.write'], mail_to: ['@example.org'] },
      });
      await client.ai_tasks.update(taskId, { settings: { on_interrupt: 'resume', max_attempts: 10 } });
      const hold = holdAt(proxy, ({ method, path, body }) => method === 'POST' && path.endsWith(lost) && /[^\d]3"/.test(body), {
        answersLost: 1,
      });
      const { run_id: runId } = await client.ai_tasks.start_run(taskId, {});
      await hold.reached;
      await machines.server().stop('SIGKILL');
      await machines.startServer();
      hold.release();
      proxy.decide(passAll);
      const run = await ended(client, taskId, runId, 300_000);
      assert.equal(run.status, 'success', run.error_message ?? '');
      await client.settings.update({ smtp: { host: '127.0.0.1', port: smtp.port, from: 'shop@example.com' } });
      await until('all mails', async () => (await client.mails.list({ status: 'queued' })).total === 0);
      await client.settings.update({ smtp: null });
      const wanted = Array.from({ length: CALLS }, (_, n) => [`desk${n}@example.org`, `ops${n}@example.org`]).flat();
      assert.deepEqual(
        smtp.received
          .splice(0)
          .flatMap(({ to }) => to)
          .sort(),
        wanted.sort(),
      );
      const { notifications } = await client.notifications.list({ limit: 100 });
      const told = notifications.filter(({ metadata }) => metadata?.['run_id'] === runId).map(({ title }) => title);
      assert.deepEqual(
        told.sort(),
        Array.from({ length: CALLS }, (_, n) => `Notification ${n}`),
      );
    });
  }
}
