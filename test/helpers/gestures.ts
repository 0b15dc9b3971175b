import type { Gesture } from '../../contract/decisions.ts';
import * as passkeys from '../../server/resources/passkeys/store.ts';
import { checkedRegistration, registrationOptions } from '../../server/resources/passkeys/webauthn.ts';
import type { TestApp } from './app.ts';
import { servicesOf } from './services.ts';
import { type Lie, SoftwareAuthenticator } from './software-authenticator.ts';

/** A request that decides. */
export type Deciding = { method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string; body?: Record<string, unknown> };

export type Signer = {
  adminId: number;
  token: string;
  authenticator: SoftwareAuthenticator;
  /** Asks what the request would decide. */
  ask(request: Deciding): Promise<Gesture>;
  /** What the passkey makes of it, as the value of the header. */
  sign(gesture: Gesture, lie?: Lie, by?: SoftwareAuthenticator): string;
  /** Sends the request, with a header if there is one. */
  send(request: Deciding, header?: string): ReturnType<TestApp['request']>;
  /** Asks, signs and sends. */
  decide(request: Deciding, lie?: Lie): ReturnType<TestApp['request']>;
};

/** Gives an admin a passkey. The one who has it is stored as its registration would: `checkedRegistration` checks it. */
export async function signer(app: TestApp, { adminId, token }: { adminId: number; token: string }): Promise<Signer> {
  const { origin } = new URL(app.url);
  const place = { origin: origin.replace('127.0.0.1', 'localhost'), rpId: 'localhost' };
  const authenticator = new SoftwareAuthenticator(place.origin);
  const challenge = Buffer.from(`challenge of ${adminId}`).toString('base64url');
  const admin = { id: adminId, name: 'Signer', email: 'signer@example.org' };
  const options = registrationOptions(place, challenge, { shop: 'Shop', admin, passkeys: [] });
  const made = await checkedRegistration(place, { credential: authenticator.create(options), challenge });
  const services = await servicesOf(app.store);
  await services.transact('passkeys.test', async (ctx) => {
    const row = { ...made, admin_id: adminId, name: 'Key', created_at: ctx.now, last_used_at: null, deleted_at: null };
    await passkeys.insertPasskey(ctx.db, row);
  });
  const ask = (request: Deciding) => app.clientFor(token).me.ask_gesture({ body: null, ...request });
  const sign = (gesture: Gesture, lie: Lie = {}, by = authenticator) =>
    Buffer.from(JSON.stringify({ gesture_id: gesture.gesture_id, credential: by.get(gesture.options, lie) })).toString('base64url');
  const send = ({ method, path, body }: Deciding, header?: string) =>
    app.request({
      ...{ method, path: `/admin/api${path}`, token, headers: header === undefined ? {} : { 'Backroom-Gesture': header } },
      ...(body && { body }),
    });
  return { adminId, token, authenticator, ask, sign, send, decide: async (request, lie) => send(request, sign(await ask(request), lie)) };
}
