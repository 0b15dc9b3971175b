import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addEvent, type EventQueue, isFull, putBack, takeBatch } from '../../runner/event-queue.ts';
import { delayAfterReport, delayOfEvent, patienceOf, type Verdict, verdictOf } from '../../runner/sender-rules.ts';
import type { Reply } from '../../runner/server-client.ts';

const KIB = 'x'.repeat(1024);
const queueOf = (events: readonly string[], live = false): EventQueue => {
  const queue: EventQueue = { events: [], bytes: 0, hasLive: false };
  for (const event of events) addEvent(queue, event, live);
  return queue;
};
const times = (count: number, event: string): string[] => Array.from({ length: count }, () => event);

const batches: [name: string, events: string[], taken: number, hasRoom: boolean, full: boolean][] = [
  ['nothing', [], 0, true, false],
  ['999 events', times(999, '1'), 999, true, false],
  ['1000 events', times(1000, '1'), 1000, false, true],
  ['1001 events', times(1001, '1'), 1000, false, true],
  ['a byte less than a MiB', [...times(900, KIB), 'x'.repeat(124 * 1024 - 1)], 901, true, false],
  ['a MiB and one more', [...times(8, 'x'.repeat(128 * 1024)), '1'], 8, false, true],
  ['one event larger than a MiB', [times(1025, KIB).join('')], 1, true, true],
  ['a MiB of characters that take two bytes', [...times(4, 'ü'.repeat(128 * 1024)), '1'], 4, false, true],
];
for (const [name, events, taken, hasRoom, full] of batches) {
  test(`a report takes of ${name}: ${taken} events${hasRoom ? ', and has room for one more' : ''}`, () => {
    const queue = queueOf(events);
    assert.equal(isFull(queue), full);
    const batch = takeBatch(queue, 1);
    assert.deepEqual([batch.events, batch.hasRoom, queue.events], [events.slice(0, taken), hasRoom, events.slice(taken)]);
    assert.equal(queue.bytes, Buffer.byteLength(events.slice(taken).join('')));
  });
}

test('a report of 4 MiB has no room for one more where that is too large to go with the others', () => {
  const room = (lastBytes: number, ...events: string[]) => takeBatch(queueOf(events), lastBytes).hasRoom;
  const large = 3.5 * 1024 * 1024;
  assert.deepEqual([room(large), room(large, '1'), room(large, ...times(500, KIB))], [true, true, false]);
});

test('events that are put back are the first of the next report', () => {
  const queue = queueOf(['a', 'ü']);
  const { events } = takeBatch(queue, 1);
  addEvent(queue, 'c', true);
  putBack(queue, events);
  assert.deepEqual(queue, { events: ['a', 'ü', 'c'], bytes: 4, hasLive: true });
  takeBatch(queue, 1);
  assert.deepEqual(queue, { events: [], bytes: 0, hasLive: false });
});

test('a live event waits 40 ms after the last report, another 250 ms, the first of a run 2 ms', () => {
  assert.deepEqual(
    [delayOfEvent(true, 0), delayOfEvent(true, 30), delayOfEvent(true, 39), delayOfEvent(true, Number.POSITIVE_INFINITY)],
    [40, 10, 2, 2],
  );
  assert.deepEqual([delayOfEvent(false, 0), delayOfEvent(false, 10_000)], [250, 250]);
});

test('after a report comes what waits, else a heartbeat: three in a lease, and one in 1.5 s at least', () => {
  assert.equal(delayAfterReport(queueOf(['1'], true), 9000), 40);
  assert.equal(delayAfterReport(queueOf(['1'], false), 9000), 250);
  assert.deepEqual([delayAfterReport(queueOf([]), 9000), delayAfterReport(queueOf([]), 3000)], [1500, 1000]);
  assert.deepEqual([patienceOf(3000), patienceOf(60_000)], [15_000, 60_000]);
});

const reply = (status: number, problem?: object): Reply => ({
  status,
  text: JSON.stringify({ title: 'Refused', type: 'about:blank', instance: '/x', status, ...problem }),
  isJson: problem !== undefined,
  ...{ bytes: null, contentRange: undefined, timeMs: null, epoch: null, replayed: false, retryAfterMs: null },
});
const refusal = (code: string, more: object = {}): Reply => reply(422, { code, detail: 'why', request_id: 'r', ...more });
const lastRefused: Verdict = { kind: 'last_refused', problem: 'why', mismatch: false };
const eventsRefused: Verdict = { kind: 'events_refused', code: 'validation_failed', detail: 'why' };
const at = (pointer: string) => ({ errors: [{ pointer, parameter: null, code: 'invalid', detail: 'why' }] });

const verdicts: [name: string, reply: Reply, count: number, hasLast: boolean, verdict: Verdict][] = [
  ['an accepted report', reply(204), 2, false, { kind: 'stored' }],
  ['a fenced claim', refusal('run_fenced'), 2, true, { kind: 'lost', reason: 'the server answered run_fenced' }],
  ['a run that does not run', refusal('run_not_running'), 0, false, { kind: 'lost', reason: 'the server answered run_not_running' }],
  ['events that are refused', refusal('validation_failed', at('/events/0/line')), 2, false, eventsRefused],
  ['an event before the last one', refusal('validation_failed', at('/events/1/line')), 2, true, eventsRefused],
  ['the last event', refusal('validation_failed', at('/events/2/result')), 2, true, lastRefused],
  ['the only event, without a pointer', refusal('validation_failed'), 0, true, lastRefused],
  ['a checkpoint that is too large', refusal('checkpoint_too_large'), 2, true, lastRefused],
  [
    'a checkpoint where the earlier attempt had another',
    refusal('resume_mismatch', { earlier: 1 }),
    2,
    true,
    { kind: 'last_refused', problem: 'why {"earlier":1}', mismatch: true },
  ],
  ['a proxy that refuses events', reply(413), 2, false, { kind: 'events_refused', code: 'status 413', detail: '' }],
  ['a proxy that refuses the only event', reply(413), 0, true, { kind: 'last_refused', problem: 'status 413', mismatch: false }],
];
for (const [name, answer, count, hasLast, verdict] of verdicts) {
  test(`the answer to a report tells of ${name}: ${verdict.kind}`, () => assert.deepEqual(verdictOf(answer, { count, hasLast }), verdict));
}
