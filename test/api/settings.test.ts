import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SettingsPatch } from '../../contract/settings.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeOrder } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('settings', (app) => {
  const settings = () => app().client.settings;
  const raw = (method: string, body?: unknown, headers: Record<string, string> = {}) =>
    app().request({ method, path: '/admin/api/settings', headers, ...(body === undefined ? {} : { body }) });

  test('SE1: every setting has a default', async () => {
    const { courier, ...rest } = await settings().get();
    assert.deepEqual(rest, {
      shop_name: 'Backroom',
      approval_policy: 'author',
      default_executor: 'runner',
      external_timeout_minutes: 60,
      currency: 'EUR',
      currency_exponent: 2,
      locale: 'en',
      locales: [],
      timezone: 'UTC',
      prices_include_tax: false,
      low_stock_threshold: 5,
      file_max_bytes: 104_857_600,
      storage_total_bytes: 5_368_709_120,
      credit_value_minor: 1,
      locker_networks: [],
      download_limit: 10,
      download_days: null,
      journal_days: 7,
      run_days: 90,
      log_days: 365,
      notification_days: 180,
      event_days: 90,
      mail_days: 30,
      task_mails_per_day: 1000,
      public_url: null,
      audit_days: null,
      limits_max: {},
      decisions: {
        approve_version: 'token',
        apply_plan: 'token',
        raise_limits: 'token',
        make_token: 'token',
        change_access: 'token',
        policy: 'token',
      },
      four_eyes: { writes_over: null, kinds: [] },
      policy_four_eyes: false,
      passkeys_suggested: false,
      smtp: null,
      llm: null,
      assistant: null,
      payment_provider_configured: false,
    });
    assert.deepEqual([courier.provider, courier.sender, courier.easypost_api_key_set], ['manual', null, false]);
    assert.deepEqual(
      courier.rate_card.map(({ courier_id, cost_cents }) => [courier_id, cost_cents]),
      [
        ['standard', 590],
        ['express', 1290],
      ],
    );
  });

  test('SE1: a PATCH changes the named settings at once and raises the ETag; omitted settings stay', async () => {
    const { etag: before = '' } = (await raw('GET')).headers;
    assert.match(before, /^"settings-\d+"$/);
    const answer = await raw('PATCH', { shop_name: ' Kiosk ', low_stock_threshold: 9, timezone: 'europe/vienna', locale: 'de-at' });
    assert.equal(answer.status, 200, answer.text);
    const now = await settings().get();
    assert.deepEqual(answer.body, now);
    assert.deepEqual(
      [now.shop_name, now.low_stock_threshold, now.timezone, now.locale, now.currency],
      ['Kiosk', 9, 'Europe/Vienna', 'de-AT', 'EUR'],
    );
    const { etag: after = '' } = answer.headers;
    assert.notEqual(after, before);
    assert.equal((await raw('GET', undefined, { 'if-none-match': after })).status, 304);
    assert.equal((await raw('PATCH', { shop_name: 'Kiosk' })).headers['etag'], after, 'an equal value makes no new version');
    assert.equal((await raw('PATCH', { shop_name: 'Late' }, { 'if-match': before })).status, 412);
    assert.equal((await settings().get()).shop_name, 'Kiosk');
    assert.deepEqual(await settings().update({ payment_provider_configured: true } as SettingsPatch), now, 'the setting is read-only');
  });

  test('R2: a wrong value is refused with its setting, and nothing changes', async () => {
    const wrong: [body: object, code: string, pointer: string][] = [
      [{ currency: 'euro' }, 'invalid_value', '/currency'],
      [{ timezone: 'Mars/Olympus' }, 'invalid_value', '/timezone'],
      [{ timezone: '+02:00' }, 'invalid_value', '/timezone'],
      [{ locale: 'not a locale' }, 'invalid_locale', '/locale'],
      [{ locales: ['de', 'DE'] }, 'duplicate', '/locales/1'],
      [{ shop_name: '' }, 'blank', '/shop_name'],
      [{ low_stock_threshold: -1 }, 'out_of_range', '/low_stock_threshold'],
      [{ file_max_bytes: 1.5 }, 'invalid_type', '/file_max_bytes'],
      [{ prices_include_tax: 'yes' }, 'invalid_type', '/prices_include_tax'],
      [{ approval_policy: 'anybody' }, 'invalid_enum', '/approval_policy'],
      [{ shop_name: null }, 'invalid_type', '/shop_name'],
      [{ locker_networks: ['Not Good'] }, 'invalid_value', '/locker_networks/0'],
      [{ courier: { rate_card: [{ courier_id: 'a' }] } }, 'validation_failed', '/courier/rate_card/0/courier_name'],
      [{ smtp: { host: 'mail.example.com' } }, 'required', '/smtp/from'],
      [{ llm: { base_url: 'http://127.0.0.1:11434/v1' } }, 'required', '/llm/model'],
      [{ llm: { base_url: 'ftp://llm.example.com', model: 'm' } }, 'invalid_value', '/llm/base_url'],
      [{ llm: { base_url: 'https://user:word@llm.example.com', model: 'm' } }, 'invalid_value', '/llm/base_url'],
      [{ smtp: { host: 'h', from: 'nobody' } }, 'invalid_value', '/smtp/from'],
      [{ smtp: { host: 'h', from: 'a@b\r\nBcc: c@d' } }, 'invalid_value', '/smtp/from'],
    ];
    const before = await settings().get();
    for (const [body, code, pointer] of wrong) {
      const error = await refused(settings().update(body), 422, code);
      assert.ok(
        error.errors.some((one) => one.pointer === pointer),
        `${JSON.stringify(body)}: ${JSON.stringify(error.errors)}`,
      );
    }
    assert.deepEqual(await settings().get(), before, 'the settings have not changed');
  });

  test('SE1: caps may be 0; fields of the courier merge, its rate card is replaced whole', async () => {
    const sender = { name: 'Kiosk', line1: 'Ring 1', city: 'Vienna', postal_code: '1010', country: 'AT' };
    await settings().update({ file_max_bytes: 0, storage_total_bytes: 0, locker_networks: ['foxpost'], courier: { sender } });
    const rate = { courier_id: 'bike', courier_name: 'Bike', cost_cents: 300, countries: ['AT'], max_weight_grams: 5000 };
    const { courier, file_max_bytes, locker_networks } = await settings().update({ courier: { rate_card: [rate] } });
    assert.deepEqual([file_max_bytes, locker_networks], [0, ['foxpost']]);
    assert.deepEqual(courier.sender, { ...sender, line2: '', state: '', phone: '', email: '' });
    assert.deepEqual(courier.rate_card, [{ ...rate, per_kg_cents: 0, delivery_estimate: '' }]);
    await refused(settings().update({ courier: { rate_card: [rate, rate] } }), 422, 'duplicate');
    assert.equal((await settings().update({ courier: { sender: null } })).courier.sender, null);
  });

  test('SE2: secrets are in no answer and not in the audit log', async () => {
    const secrets = ['hunter2-of-the-mail', 'EZ-key-of-the-courier', 'sk-of-the-model'];
    const made = await settings().update({
      smtp: { host: 'mail.example.com', user: 'shop', from: 'Shop <shop@example.com>', password: secrets[0] ?? '' },
      courier: { easypost_api_key: secrets[1] ?? '' },
      llm: { base_url: 'https://llm.example.com/v1', model: 'small', api_key: secrets[2] ?? '' },
    });
    assert.deepEqual(made.llm, { base_url: 'https://llm.example.com/v1', model: 'small', api_key_set: true });
    assert.deepEqual(made.smtp, {
      host: 'mail.example.com',
      port: 587,
      secure: false,
      user: 'shop',
      from: 'Shop <shop@example.com>',
      password_set: true,
    });
    assert.equal(made.courier.easypost_api_key_set, true);
    const audit = await app().store.reader.selectFrom('audit_log').select('changes').execute();
    const log = await app().store.reader.selectFrom('log_entries').select(['summary', 'detail']).execute();
    const told = JSON.stringify([made, (await raw('GET')).text, audit, log]);
    for (const secret of secrets) assert.ok(!told.includes(secret));
    for (const name of [/smtp\.password.*\*\*\*/, /llm\.api_key.*\*\*\*/]) assert.match(JSON.stringify(audit.at(-1)), name);
    assert.equal(
      (await settings().update({ smtp: { from: 'Paper <shop@example.com>' } })).smtp?.password_set,
      true,
      'an omitted password stays',
    );
    assert.equal((await settings().update({ courier: { easypost_api_key: null } })).courier.easypost_api_key_set, false);
  });

  test('SE2: changing the host, port, security or user of SMTP without a password clears the password', async () => {
    const passwordSet = async (smtp: NonNullable<SettingsPatch['smtp']>) => (await settings().update({ smtp })).smtp?.password_set;
    assert.equal(await passwordSet({ host: 'mail.example.com', user: 'shop', from: 'shop@example.com', password: 'x' }), true);
    assert.equal(await passwordSet({ host: 'elsewhere.example.com' }), false);
    assert.equal(await passwordSet({ password: 'y' }), true);
    assert.equal(await passwordSet({ user: 'other' }), false);
    for (const change of [{ port: 2525 }, { secure: true }, { host: 'fourth.example.com', port: 465 }]) {
      assert.equal(await passwordSet({ password: 'y' }), true);
      assert.equal(await passwordSet(change), false, JSON.stringify(change));
    }
    assert.equal(await passwordSet({ host: 'third.example.com', password: 'z' }), true);
    assert.equal(await passwordSet({ host: 'third.example.com', port: 465, secure: true, from: 'b@example.com' }), true, 'the same host');
    assert.equal((await settings().update({ smtp: null })).smtp, null);
  });

  test('SE2, SE3: another base_url clears the key of the model; only an owner may change it', async () => {
    const keySet = async (llm: NonNullable<SettingsPatch['llm']>) => (await settings().update({ llm })).llm?.api_key_set;
    assert.equal(await keySet({ base_url: 'https://llm.example.com/v1', model: 'small', api_key: 'x' }), true);
    assert.equal(await keySet({ model: 'large' }), true);
    assert.equal(await keySet({ base_url: 'http://127.0.0.1:11434/v1' }), false);
    const staff = await person(app(), { permissions: ['admin_api.settings.write'] });
    const llm = { base_url: 'https://elsewhere.example.com/v1' };
    await refused(app().clientFor(staff.token).settings.update({ llm }), 403, 'forbidden');
    assert.equal((await settings().update({ llm: null })).llm, null);
  });

  test('SE3: only an owner sets by which mail account and to which address links that sign in are sent', async () => {
    const staff = await person(app(), { permissions: ['admin_api.settings.write'] });
    const owner = await settings().get();
    const theirs = app().clientFor(staff.token).settings;
    await refused(theirs.update({ smtp: { host: 'mail.elsewhere.example', from: 'shop@elsewhere.example' } }), 403, 'forbidden');
    await refused(theirs.update({ public_url: 'https://elsewhere.example' }), 403, 'forbidden');
    const { token } = await app().client.me.create_token({ name: 'narrow', permissions: ['admin_api.settings.write'] });
    await refused(
      app()
        .clientFor(token ?? '')
        .settings.update({ public_url: 'https://elsewhere.example' }),
      403,
      'forbidden',
    );
    const { smtp, public_url } = await settings().get();
    assert.deepEqual([smtp, public_url], [owner.smtp, owner.public_url]);
  });

  test('R6: simultaneous changes of different settings are all stored', async () => {
    const patches: SettingsPatch[] = [{ shop_name: 'All' }, { run_days: 30 }, { journal_days: 3 }, { download_days: 14 }];
    await Promise.all(patches.map((patch) => settings().update(patch)));
    const now = await settings().get();
    assert.deepEqual([now.shop_name, now.run_days, now.journal_days, now.download_days], ['All', 30, 3, 14]);
  });

  test('AU9: settings need their own permissions, which no task may have', async () => {
    const { token } = await person(app(), { permissions: ['admin_api.settings.read'] });
    await app().clientFor(token).settings.get();
    await refused(app().clientFor(token).settings.update({ shop_name: 'x' }), 403, 'forbidden');
    const task = { name: 'greedy', description: '', source_code: '1', permissions: ['admin_api.settings.read'], parameters: [] };
    await refused(app().client.ai_tasks.create(task), 422, 'permission_not_grantable');
  });

  test('G15: a currency sets its exponent; both are fixed once an order exists', async () => {
    const exponentOf = async (currency: string) => (await settings().update({ currency })).currency_exponent;
    assert.deepEqual([await exponentOf('JPY'), await exponentOf('KWD'), await exponentOf('HUF')], [0, 3, 2]);
    const own = await settings().update({ currency: 'USD', currency_exponent: 3 });
    assert.deepEqual([own.currency, own.currency_exponent], ['USD', 3]);
    await settings().update({ currency: 'EUR' });
    await makeOrder(app(), { is_test: true });
    await refused(settings().update({ currency: 'USD', shop_name: 'Half' }), 409, 'currency_fixed');
    await refused(settings().update({ currency_exponent: 0 }), 409, 'currency_fixed');
    const same = await settings().update({ currency: 'EUR', currency_exponent: 2 });
    assert.deepEqual([same.currency, same.shop_name], ['EUR', 'All']);
  });
});
