import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { chooseSeed } from '../helpers/seeded.ts';
import { loseAndRepeat } from '../helpers/stored-rows/faults.ts';
import { engines } from '../helpers/stores.ts';
import { chaos } from '../torture/chaos/chaos.ts';
import { planFaults } from '../torture/chaos/plan.ts';
import { chaosOfPrograms } from '../torture/chaos/programs/programs.ts';

const machines = { engine: 'sqlite', servers: 1, runners: 1, leaseSeconds: 4 } as const;

test('a seed gives the same faults each time, another seed other ones, and no target suffers two at once', () => {
  for (const engine of ['sqlite', 'postgres'] as const) {
    const options = { ...machines, engine, servers: 3, runners: 2, minutes: 3 };
    const plan = planFaults({ ...options, seed: 7 });
    assert.deepEqual(planFaults({ ...options, seed: 7 }), plan);
    assert.notDeepEqual(planFaults({ ...options, seed: 8 }), plan);
    assert.ok(plan.length > 50);
    const kinds = new Set(plan.map(({ kind }) => kind));
    assert.equal(kinds.has('kill_database'), engine === 'postgres');
    for (const [index, { target, atMs, forMs }] of plan.entries()) {
      assert.ok(atMs + forMs <= 180_000);
      const next = plan.slice(index + 1).find((other) => other.target === target);
      assert.ok(next === undefined || next.atMs >= atMs + forMs, `${target} at ${next?.atMs} ms`);
    }
  }
});

test('the books find a lost write, and a lost and a repeated effect of a run; nothing else is wrong after faults', async () => {
  let damage: Awaited<ReturnType<typeof loseAndRepeat>> | undefined;
  const { checks, folder } = await chaos({
    ...machines,
    ...{ seed: 1, minutes: 0.08, say: () => undefined },
    beforeBooks: async ({ store }) => {
      damage = await loseAndRepeat(store);
    },
  });
  assert.ok(damage && folder !== null);
  const found = checks.filter(({ faults }) => faults.length > 0).map(({ name, faults }) => [name, faults.length]);
  const effects = 'every effect of a run happened exactly once, and is told of';
  const isOneRun = markOf(damage.lostOfRun) === markOf(damage.repeatedOfRun);
  assert.deepEqual(found, [
    ['every acknowledged write is there exactly once, and no refused one', 1],
    [effects, isOneRun ? 1 : 2],
    ['the stock of a variant is the sum of its movements', 1],
  ]);
  const told = checks.flatMap(({ faults }) => faults).join('\n');
  assert.match(told, new RegExp(`note ${damage.lost} was acknowledged, and is there 0 times`));
  assert.match(told, new RegExp(`\\(${markOf(damage.repeatedOfRun)}\\): the effects 1 happened more than once`));
  assert.ok(existsSync(`${folder}/logs/faults.log`), 'logs and data are kept');
  await rm(folder, { recursive: true });
});

/** More of them: npm run chaos -- --runs 500 --seed N. */
const PROGRAMS = 6;

for (const engine of engines) {
  const seed = chooseSeed();
  test(`programs with waits, signals, gathered starts, restarts and undo lose and double nothing under kills [${engine}], SEED=${seed}`, async () => {
    const places = engine === 'postgres' ? { servers: 2, runners: 1 } : {};
    const { checks } = await chaosOfPrograms({ ...machines, ...places, engine, seed, minutes: 30, say: () => undefined }, PROGRAMS);
    assert.deepEqual(
      checks.flatMap(({ name, faults }) => faults.map((fault) => `${name}: ${fault}`)),
      [],
    );
  });
}

function markOf(effect: string): string {
  return effect.slice(0, effect.lastIndexOf('/'));
}
