import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createSender } from '../../client/requests.ts';
import { followBy, type StreamState } from '../../console/api/streams.ts';

/** The streams of the console, against servers and proxies that answer as they like; the waits are those of a clock of the test. */

const OPEN = { headers: { 'content-type': 'text/event-stream' } };
const HTML = { 'content-type': 'text/html' };
const gone = (): Response => new Response(null, { status: 204 });
const page = (status: number, headers: Record<string, string> = {}) =>
  new Response('<h1>proxy</h1>', { status, headers: { ...HTML, ...headers } });
const line = (id: number) => `id: ${id}\nevent: event\ndata: ${id}\n\n`;

/** Follows a stream until it has ended; each wait is over at once, `waits` tells how long it was. */
async function followed(
  t: TestContext,
  answers: readonly (() => Response)[],
  { onMessage = () => undefined, onState = () => undefined }: { onMessage?(id: string): void; onState?(state: StreamState): void } = {},
) {
  const waits: number[] = [];
  const asked: (string | null)[] = [];
  const messages: string[] = [];
  const states: StreamState[] = [];
  const faults: unknown[] = [];
  const stop = new AbortController();
  const { setTimeout: later } = globalThis;
  const passAtOnce = (then: () => void, ms = 0) => {
    waits.push(ms);
    return later(then, 0);
  };
  t.mock.method(globalThis, 'setTimeout', passAtOnce);
  const send: typeof fetch = async (_, init) => {
    const answer = answers[asked.length];
    asked.push(new Headers(init?.headers).get('last-event-id'));
    if (answer !== undefined) return answer();
    stop.abort();
    throw new Error('asked too often');
  };
  const sender = createSender({ url: 'http://shop.test', token: 't', fetch: send });
  await followBy(sender, '/changes', {
    signal: stop.signal,
    onMessage({ id }) {
      messages.push(id);
      onMessage(id);
    },
    onState(state) {
      states.push(state);
      onState(state);
    },
    onFault: (error) => faults.push(error),
  });
  t.mock.restoreAll();
  return { waits, asked: asked.length, after: asked, messages, states, faults };
}

for (const seconds of ['1800', '7200'])
  test(`a server that wants to be asked after ${seconds} s is asked after ten at most`, async (t) => {
    const { states, asked, waits } = await followed(t, [() => page(503, { 'retry-after': seconds }), gone]);
    assert.deepEqual([states, asked, waits], [['lost', 'ended'], 2, [10_000]]);
  });

for (const status of [401, 404])
  test(`a stream ends where a proxy answers ${status} with a page`, async (t) => {
    const { states, asked, faults } = await followed(t, [() => page(status)]);
    assert.deepEqual([states, asked, faults], [['ended'], 1, []]);
  });

test('a stream goes on after pages of a proxy that pass', async (t) => {
  const passing = [200, 429, 500, 502, 503].map((status) => () => page(status));
  const { states, asked } = await followed(t, [...passing, gone]);
  assert.deepEqual([states, asked], [[...passing.map(() => 'lost'), 'ended'], 6]);
});

test('a message that cannot be shown is told as a fault, and the stream goes on', async (t) => {
  const wrong = new Error('cannot be shown');
  const { messages, states, faults, after } = await followed(
    t,
    [() => new Response(line(1) + line(2), OPEN), () => new Response(line(3), OPEN), gone],
    {
      onMessage(id) {
        if (id === '1') throw wrong;
      },
    },
  );
  assert.deepEqual([messages, faults, after], [['1', '2', '3'], [wrong], [null, '2', '3']]);
  assert.deepEqual(states, ['open', 'lost', 'open', 'lost', 'ended']);
});

test('a state that cannot be shown is told as a fault, too', async (t) => {
  const wrong = new Error('cannot be shown');
  const { states, faults } = await followed(t, [() => new Response(line(1), OPEN), gone], {
    onState() {
      throw wrong;
    },
  });
  assert.deepEqual(
    [states, faults],
    [
      ['open', 'lost', 'ended'],
      [wrong, wrong, wrong],
    ],
  );
});

test('a connection is lost when nothing comes for 25 s', async (t) => {
  const { states, waits } = await followed(t, [() => new Response(new ReadableStream(), OPEN), gone]);
  assert.deepEqual([states, waits[0]], [['open', 'lost', 'ended'], 25_000]);
});
