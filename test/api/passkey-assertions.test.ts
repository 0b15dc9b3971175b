import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { PasskeyAssertion } from '../../contract/webauthn.ts';
import { requirePlace } from '../../server/resources/passkeys/place.ts';
import { selectPasskeysOf } from '../../server/resources/passkeys/store.ts';
import { acceptAssertion, assertionOptions, checkedRegistration, registrationOptions } from '../../server/resources/passkeys/webauthn.ts';
import { Refusal } from '../../server/verbs/problem.ts';
import { onBothStores } from '../helpers/app.ts';
import { person } from '../helpers/people.ts';
import { servicesOf } from '../helpers/services.ts';
import { type Lie, SoftwareAuthenticator } from '../helpers/software-authenticator.ts';
import { storePasskey } from '../helpers/stored-rows/sessions.ts';

onBothStores('assertions of passkeys', (app) => {
  const challengeOf = (): string => randomBytes(32).toString('base64url');

  /** Somebody with a passkey, and what accepts an answer to a challenge. */
  async function owner({ counts = true, lie = {} }: { counts?: boolean; lie?: Lie } = {}) {
    const { store } = app();
    const services = await servicesOf(store);
    services.listening.port = 8787;
    const { adminId } = await person(app());
    const authenticator = new SoftwareAuthenticator('http://localhost:8787', { counts });
    const transact = services.transact.bind(null, 'passkeys.test');
    await transact(async (ctx) => {
      const place = requirePlace(ctx);
      const challenge = challengeOf();
      const admin = { id: adminId, name: 'Eszter', email: 'e@example.org' };
      const options = registrationOptions(place, challenge, { shop: 'Shop', admin, passkeys: [] });
      const made = await checkedRegistration(place, { credential: authenticator.create(options, lie), challenge });
      await storePasskey(ctx.db, { ...made, admin_id: adminId, created_at: ctx.now });
    });
    const accept = (credential: PasskeyAssertion, challenge: string, of: number | null = adminId) =>
      transact(async (ctx) => (await acceptAssertion(ctx, { credential, challenge, adminId: of })).adminId);
    const answer = (challenge: string, lies: Lie = {}, by = authenticator) =>
      by.get(assertionOptions({ origin: 'http://localhost:8787', rpId: 'localhost' }, challenge, null), lies);
    return { adminId, authenticator, accept, answer };
  }

  const isRefused = (why: RegExp) => (error: unknown) =>
    error instanceof Refusal && error.code === 'passkey_refused' && why.test(error.message);

  test('one over the expected challenge is accepted, of the person asked for or of anybody', async () => {
    const { adminId, accept, answer } = await owner();
    for (const of of [adminId, null]) {
      const challenge = challengeOf();
      assert.equal(await accept(answer(challenge), challenge, of), adminId);
    }
    const [row] = await selectPasskeysOf(app().store.reader, adminId);
    assert.deepEqual([row?.counter, row?.rp_id, row?.transports], [3, 'localhost', '["internal"]']);
    assert.notEqual(row?.last_used_at, null);
  });

  test('one of another challenge, origin, host name or person, without a verified person, or with a wrong signature, is refused', async () => {
    const { accept, answer } = await owner();
    const other = await owner();
    const challenge = challengeOf();
    const lies: [Lie, RegExp][] = [
      [{ challenge: challengeOf() }, /challenge/i],
      [{ origin: 'http://localhost:9999' }, /origin/i],
      [{ origin: 'https://localhost:8787' }, /origin/i],
      [{ rpId: 'evil.example' }, /RP ID/i],
      [{ userVerified: false }, /user verification/i],
      [{ userHandle: Buffer.from('backroom-admin-1').toString('base64url') }, /somebody else/],
    ];
    for (const [lie, why] of lies) await assert.rejects(accept(answer(challenge, lie), challenge), isRefused(why));
    await assert.rejects(accept(other.answer(challenge), challenge), isRefused(/not known/));
    await assert.rejects(accept(new SoftwareAuthenticator('http://localhost:8787').get({ challenge, rpId: 'localhost' }), challenge, null), isRefused(/not known/)); // biome-ignore format: one line
    const forged = answer(challenge);
    forged.response.signature = other.answer(challenge).response.signature;
    await assert.rejects(accept(forged, challenge), isRefused(/signature/));
  });

  test('a counter that does not grow is refused, and told to the admins; an authenticator that does not count may be used often', async () => {
    const { adminId, authenticator, accept, answer } = await owner();
    const copy = new SoftwareAuthenticator('http://localhost:8787', { copyOf: authenticator });
    const [first, second] = [challengeOf(), challengeOf()];
    await accept(answer(first), first);
    await assert.rejects(accept(answer(second, {}, copy), second), isRefused(/copy/));
    // A write that comes after it in the queue of writers.
    await app().client.notifications.mark_all_read();
    const told = (await app().client.notifications.list({ limit: 20 })).notifications.filter(({ type }) => type === 'passkey_copied');
    assert.deepEqual(told.map(({ severity, metadata }) => [severity, metadata?.['admin_id'], metadata?.['name']]), [['error', adminId, 'Laptop']]); // biome-ignore format: one line
    const synced = await owner({ counts: false });
    for (const challenge of [challengeOf(), challengeOf()]) await synced.accept(synced.answer(challenge), challenge);
  });

  test('a passkey is not made without a verified person, elsewhere, or for another challenge', async () => {
    for (const lie of [{ userVerified: false }, { origin: 'https://evil.example' }, { rpId: 'evil.example' }, { challenge: challengeOf() }])
      await assert.rejects(owner({ lie }), isRefused(/./));
  });
});
