import fc from 'fast-check';
import { person } from '../../helpers/people.ts';
import type { Session } from '../session.ts';
import { checkAll } from './check.ts';
import { customerSteps } from './customers.ts';
import { goodsSteps } from './goods.ts';
import { emptyModel, type ModelStep, type Play, type Steps } from './model.ts';
import { orderSteps } from './orders.ts';
import { pageSteps } from './pages.ts';
import { taskSteps } from './tasks.ts';

const kinds: readonly (readonly Steps[])[] = [
  [pageSteps],
  [customerSteps, goodsSteps, orderSteps],
  [goodsSteps, orderSteps],
  [taskSteps],
  [pageSteps, customerSteps, goodsSteps, orderSteps, taskSteps],
];
/** How many records of each kind a sequence begins with, at most. */
const FIRST = 5;

/** Sequences of at most `calls` steps: of records that have to do with each other, or of all that the model knows. */
export function modelSequence(calls: number): fc.Arbitrary<ModelStep[]> {
  const sequences = kinds.map((kind) => {
    const first = kind.map(({ make }) => fc.array(make, { maxLength: Math.min(FIRST, Math.floor(calls / 2 / kind.length)), size: 'max' }));
    const made = FIRST * kind.length;
    const rest = fc.array(fc.oneof(...kind.map(({ all }) => all)), { maxLength: Math.max(1, calls - made), size: 'max' });
    return fc.tuple(fc.tuple(...first), rest).map(([begin, more]) => [...begin.flat(), ...more].slice(0, calls));
  });
  return fc.noBias(fc.oneof(...sequences));
}

/** Plays a sequence: after each step the model says what the shop must be like, and at the end everything is compared. */
export async function playModel(session: Session, steps: readonly ModelStep[]): Promise<void> {
  const colleague = await person(session.app, { role: 'owner' });
  const play: Play = { session, model: emptyModel(), colleagueToken: colleague.token };
  for (const step of steps) await step(play);
  await checkAll(play);
}
