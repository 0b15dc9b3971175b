import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createAnswerGate, type OpenCall } from '../../runner/answer-gate.ts';
import { createAnswersTold, createOrderNames, type ToldAnswers } from '../../runner/answers-told.ts';
import { joinOrders, type OrderPart } from '../../server/automation/recordings/rules.ts';
import { chooseSeed, type Random, seeded } from '../helpers/seeded.ts';

/** What an item of the list has a worker do. `burst`: many short sleeps at once, of which the server hears only with the next call. */
type Op = 'write' | 'read' | 'sleep' | 'pair' | 'burst';
/** `once`: the script begins with a value of `once`, for which it makes calls that it makes again afterwards. */
type Program = { workers: number; items: Op[]; burst: number; once: boolean };
type Call = { item: OpenCall; body: string | null; isSent: boolean; told: ToldAnswers | null; isThere: boolean; resolve: () => void };
type Ask = (operation: 'sleep' | 'once' | 'admin_api', said: string, body?: string) => Promise<void>;
/** Makes the value unless an earlier attempt has stored one. */
type Once = (make: () => Promise<void>) => Promise<void>;

const PLACE = 'POST /notes';
/** What stands for the value of `once` where a call stores it. */
const VALUE = 'value';

/** What the server keeps of the attempts: the order that each told, and the writes with the attempt that asked for them last. */
function openServer() {
  const parts = new Map<string, OrderPart>();
  const writes = new Map<string, number>();
  return {
    writes,
    hasValue: false,
    order: () => joinOrders([...parts.values()].sort((a, b) => a.claim_id - b.claim_id || a.upto - b.upto)),
    keep(claim: number, told: ToldAnswers): void {
      const key = `${claim}/${told.upto}`;
      if (!parts.has(key)) parts.set(key, { claim_id: claim, upto: told.upto, names: told.text.split(':')[2] ?? '' });
    },
    /** False: an earlier attempt made another write here, for which this one has not asked. */
    write(claim: number, body: string): boolean {
      if (!writes.has(body) && [...writes.values()].some((by) => by !== claim)) return false;
      writes.set(body, claim);
      return true;
    },
  };
}

/** Workers take items from one list. Each write tells all that depends on the order in which the script got its answers. */
async function script({ workers, items, burst, once: hasOnce }: Program, ask: Ask, once: Once): Promise<void> {
  if (hasOnce)
    await once(async () => {
      await Promise.all([ask('admin_api', 'read 1'), ask('sleep', '1')]);
      await ask('admin_api', 'write once', 'once|');
    });
  const queue = items.map((op, n) => ({ op, n }));
  let heard = '';
  let taken = 0;
  const write = (name: string, w: number): Promise<void> =>
    ask('admin_api', `write ${name} ${w} ${heard}`, `${name}|${w} ${taken} ${heard}`);
  const work = async (w: number): Promise<void> => {
    for (let item = queue.shift(); item; item = queue.shift()) {
      const { op, n } = item;
      taken += 1;
      if (op === 'pair') await Promise.all([write(`${n} left`, w), write(`${n} right`, w)]);
      if (op === 'read') await ask('admin_api', `read ${taken}`);
      if (op === 'sleep') await ask('sleep', `${taken}`);
      if (op === 'burst')
        await Promise.all(Array.from({ length: burst }, (_, i) => ask('sleep', `${i}`).then(() => (heard = `${w}.${i}`))));
      heard = `${n} of ${w}`;
      if (op !== 'pair') await write(`${n}`, w);
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, w) => work(w)));
}

/** Runs the script once, with answers that come in a random order; false: it was killed after `steps` steps. */
async function attempt(
  server: ReturnType<typeof openServer>,
  claim: number,
  program: Program,
  steps: number,
  random: Random,
): Promise<boolean> {
  const told = createAnswersTold(0);
  const nameOf = createOrderNames();
  const onDelivered = ({ orderName }: OpenCall, given: Parameters<typeof told.delivered>[1]): void => told.delivered(orderName, given);
  const gate = createAnswerGate({ rests: claim > 1, questions: () => 0, onDelivered });
  gate.follow(server.order());
  const underWay: Call[] = [];
  /** Answers that were given, but which the script has not got yet. */
  const onTheWay: Call[] = [];
  let answers = 0;
  let hasEnded = false;
  let differs = false;
  let section = '';
  const ask: Ask = (operation, said, body) => {
    told.asked(answers);
    const item = { orderName: nameOf({ epoch: 0, section }, { operation, said }), place: body === undefined ? null : PLACE };
    gate.open(item);
    const { promise, resolve } = Promise.withResolvers<void>();
    underWay.push({ item, body: body ?? null, isSent: operation === 'sleep', told: null, isThere: operation === 'sleep', resolve });
    return promise;
  };
  const once: Once = async (make) => {
    const isKnown = server.hasValue;
    await ask('once', 'ask');
    if (isKnown) {
      server.writes.set('once|', claim);
    } else {
      await make();
      await ask('once', 'keep', VALUE);
    }
    section = 'once';
  };
  const ended = script(program, ask, once).then(() => {
    hasEnded = true;
  });

  /** Brings a call one step on: it tells, it is sent, it reaches the server, or its answer comes back. An answer may also be lost. */
  function step(call: Call): void {
    const leave = (): void => void underWay.splice(underWay.indexOf(call), 1);
    const isLost = random.next() < 0.1;
    const many = told.hasMany() ? told.untold() : null;
    if (many) {
      server.keep(claim, many);
      if (!isLost) told.stored(many);
    } else if (!call.isSent) {
      call.told = told.untold();
      call.isSent = true;
    } else if (!call.isThere) {
      if (call.body === VALUE) {
        server.hasValue = true;
      } else if (call.body !== null && !server.write(claim, call.body)) {
        leave();
        void gate.blocked(call.item).then((again) => {
          differs ||= !again;
          underWay.push({ ...call, isSent: false });
        });
        return;
      }
      if (call.told) server.keep(claim, call.told);
      call.isThere = !isLost;
    } else {
      leave();
      if (call.told) told.stored(call.told);
      gate.answer(call.item, () => void onTheWay.push(call));
    }
  }

  for (let left = steps, idle = 0; !hasEnded; left -= 1) {
    await turn();
    assert.ok(!differs, 'the script makes another write than before');
    if (hasEnded) break;
    if (left === 0) return false;
    if (onTheWay.length > 0 && random.next() < 0.5) {
      answers += 1;
      onTheWay.shift()?.resolve();
      continue;
    }
    if (claim > 1 && onTheWay.length === 0) gate.rest();
    idle = underWay.length + onTheWay.length === 0 ? idle + 1 : 0;
    assert.ok(idle < 5, 'nothing is under way, and the script waits');
    if (underWay.length > 0) step(random.pick(underWay));
  }
  await ended;
  return true;
}

function programOf(random: Random, burst: number): Program {
  const ops: readonly Op[] = burst > 0 ? ['write', 'read', 'burst'] : ['write', 'write', 'read', 'sleep', 'pair'];
  return {
    workers: 2 + random.below(4),
    items: Array.from({ length: 3 + random.below(9) }, () => random.pick(ops)),
    burst,
    once: random.next() < 0.3,
  };
}

async function prove(programs: number, burst: number, stepsAtMost: number, seed: number): Promise<void> {
  const random = seeded(seed);
  for (let n = 0; n < programs; n += 1) {
    const program = programOf(random, burst);
    const server = openServer();
    let claim = 1;
    while (!(await attempt(server, claim, program, claim > 5 ? Number.POSITIVE_INFINITY : 1 + random.below(stepsAtMost), random)))
      claim += 1;
    const names = program.items.flatMap((op, i) => (op === 'pair' ? [`${i} left`, `${i} right`] : [`${i}`]));
    if (program.once) names.push('once');
    assert.deepEqual([...server.writes.keys()].map((body) => body.split('|', 1)[0]).sort(), names.sort());
  }
}

const seed = chooseSeed();

test(`scripts whose writes depend on the order of answers, killed at any step, make each write once, SEED=${seed}`, () =>
  prove(300, 0, 80, seed));

test(`the order also holds where more answers came than one request tells, SEED=${seed}`, () => prove(12, 400, 6000, seed));

test('an answer that came out of the earlier order is told, and a third attempt gets it where the second did', () => {
  const told = createAnswersTold(0);
  const gate = createAnswerGate({
    rests: true,
    questions: () => 0,
    onDelivered: ({ orderName }, given) => told.delivered(orderName, given),
  });
  const names = ['a', 'b', 'c', 'd', 'x'].map((letter) => letter.repeat(12));
  const [a = '', b = '', c = '', d = '', x = ''] = names;
  gate.follow([a, b, c, d]);
  const calls = [a, c, x, d].map((orderName) => ({ orderName, place: null }));
  const given: string[] = [];
  for (const call of calls) gate.open(call);
  for (const call of calls.toReversed()) gate.answer(call, () => void given.push(call.orderName));
  const last = { orderName: 'z'.repeat(12), place: null };
  gate.open(last);
  for (let rests = 0; rests < names.length; rests += 1) gate.rest();
  assert.deepEqual(given, [a, c, d, x]);
  const earlier = { claim_id: 1, upto: 4, names: [a, b, c, d].map((name) => `0/${name}`).join(',') };
  const text = told.untold()?.text.split(':')[2] ?? '';
  const second = { claim_id: 2, upto: text.split(',').length, names: text };
  assert.deepEqual(joinOrders([earlier, second]), [a, c, d, x, b]);
});
