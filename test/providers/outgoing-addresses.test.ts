import assert from 'node:assert/strict';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { mock, type TestContext, test } from 'node:test';
import { exchange } from '../../server/automation/outgoing/exchange.ts';
import type { Asked } from '../../server/automation/outgoing/rules.ts';
import type { Filling } from '../../server/automation/secrets/filling.ts';
import { maskOf } from '../../server/automation/secrets/masks.ts';
import { AnswerLost, createOutgoing, NotSent, type Outgoing } from '../../server/providers/http/send.ts';
import { startReceiver } from '../helpers/receiver.ts';

/** Requests of runs to private addresses, in a shop that does not allow them. */

const strict = () => createOutgoing({ allowPrivate: false, answerMaxBytes: 1000 });
const FOREVER = new AbortController().signal;
const request = (origin: string) => ({ origin, target: '/', method: 'GET', headers: {}, body: null });
const isPrivate = (error: unknown) => error instanceof NotSent && error.isFinal && error.message === 'the address is private';

type Found = { address: string; family: number }[];

/** Resolves every name to what `answers` gives, the last one again and again; counts the questions. */
function resolveTo(t: TestContext, ...answers: (Found | Error)[]): () => number {
  const lookup = mock.method(dns, 'lookup', (_: string, __: object, done: (e: Error | null, found?: Found) => void) => {
    const found = answers[Math.min(lookup.mock.callCount(), answers.length - 1)];
    if (found instanceof Error) done(found);
    else done(null, found);
  });
  syncBuiltinESMExports();
  t.after(() => {
    lookup.mock.restore();
    syncBuiltinESMExports();
  });
  return () => lookup.mock.callCount();
}

const NO_SECRETS: Filling = { valueFor: () => '', hostProblem: () => null, derive: () => undefined, ...maskOf([]) };

function how(outgoing: Outgoing, allow: string[]) {
  const sent = { twice: false };
  return {
    outgoing,
    allow,
    filling: NO_SECRETS,
    signing: null,
    signal: FOREVER,
    until: performance.now() + 60_000,
    mayRepeat: false,
    sent,
  };
}
const asked = (url: string): Asked => ({ method: 'GET', url, headers: {}, body: null, secretHeaders: [], bodySecrets: [] });

test('every spelling of a private address is refused before anything is sent', async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const { port } = new URL(receiver.url);
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '１２７.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    'localhost',
    'LOCALHOST.',
    'shop.localhost',
    '169.254.169.254',
    '10.0.0.1',
    '[fd00::1]',
  ]) {
    const { origin } = new URL(`http://${host}:${port}`);
    await assert.rejects(strict().send(request(origin), FOREVER), isPrivate, host);
  }
  assert.equal(receiver.received.length, 0);
});

test('a name is refused if any of its addresses is private', async (t) => {
  const questions = resolveTo(t, [
    { address: '93.184.216.34', family: 4 },
    { address: '::1', family: 6 },
  ]);
  await assert.rejects(strict().send(request('http://api.example.com'), FOREVER), isPrivate);
  assert.equal(questions(), 1);
});

test('the addresses of a name are checked again for each connection, so a name that changes its answer is refused', async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const questions = resolveTo(t, new Error('no answer yet'), [{ address: '127.0.0.1', family: 4 }]);
  const url = receiver.url.replace('127.0.0.1', 'api.example.com');
  await assert.rejects(exchange(how(strict(), [`GET ${new URL(url).origin}/*`]), asked(url)), isPrivate);
  assert.equal(questions(), 2, 'the first try failed, and the second was refused without a third');
  assert.equal(receiver.received.length, 0);
});

test('a redirect to a private address is not followed, even if the version allows the address', async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const real = strict();
  const outgoing: Outgoing = {
    send: async (sent, signal) =>
      sent.origin === 'https://api.example.com'
        ? { status: 302, headers: { location: receiver.url }, body: Buffer.alloc(0) }
        : real.send(sent, signal),
  };
  const allow = ['GET https://api.example.com/*', `GET ${new URL(receiver.url).origin}/*`];
  await assert.rejects(
    exchange(how(outgoing, allow), asked('https://api.example.com/')),
    (error: unknown) => error instanceof AnswerLost && error.message === 'the address is private',
  );
  assert.equal(receiver.received.length, 0);
});
