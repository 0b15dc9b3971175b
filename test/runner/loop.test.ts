import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefused, type LoopState, restAfter, slotsToAsk, waitOf } from '../../runner/loop-rules.ts';

const stateWith = (state: Partial<LoopState>): LoopState => ({
  ...{ busy: 0, asked: 0, polls: 0, reporting: 0, failures: 0, refusals: 0 },
  ...{ resting: false, wasAnswered: true, ...state },
});

const asks: [name: string, state: Partial<LoopState>, slots: number][] = [
  ['all four at first', {}, 4],
  ['those that are neither busy nor asked for', { busy: 1, asked: 2, polls: 1 }, 1],
  ['none when all are busy or asked for', { busy: 1, asked: 3, polls: 1 }, 0],
  ['none when more are busy than there are', { busy: 5 }, 0],
  ['none while it rests', { resting: true }, 0],
  ['all after a failure, when no poll is under way', { failures: 2 }, 4],
  ['none after a failure while a poll is under way', { failures: 2, asked: 1, polls: 1 }, 0],
  ['those whose runs still report their ends', { reporting: 4 }, 4],
];
for (const [name, state, slots] of asks) {
  test(`of four slots the loop asks for ${name}`, () => assert.equal(slotsToAsk(stateWith(state), 4), slots));
}

const rests: [name: string, failures: number, claims: number | null, waitMs: number, tookMs: number, restMs: number][] = [
  ['none after claims', 0, 2, 20_000, 1, 0],
  ['none after the server waited for work', 0, 0, 20_000, 20_001, 0],
  ['a little after an empty answer that came too soon', 0, 0, 20_000, 99, 200],
  ['none after the first poll, which does not wait', 0, 0, 0, 1, 0],
  ['200 ms after a failure', 1, null, 20_000, 1, 200],
  ['twice as long after each further one', 4, null, 20_000, 1, 1600],
  ['five seconds at most', 6, null, 20_000, 1, 5000],
  ['five seconds however often', 5000, null, 20_000, 1, 5000],
];
for (const [name, failures, claims, waitMs, tookMs, restMs] of rests) {
  test(`the loop rests ${name}`, () => assert.equal(restAfter(stateWith({ failures }), { claims, waitMs, tookMs }), restMs));
}

test('the first poll does not wait for work, and the third refusal of the token is the last', () => {
  assert.deepEqual([waitOf(stateWith({ wasAnswered: false })), waitOf(stateWith({}))], [0, 20_000]);
  assert.deepEqual([isRefused(stateWith({ refusals: 2 })), isRefused(stateWith({ refusals: 3 }))], [false, true]);
});
