import fc from 'fast-check';
import { person } from '../../helpers/people.ts';
import type { Session } from '../session.ts';
import { checkAll } from './check.ts';
import { customerSteps } from './customers.ts';
import { goodsSteps } from './goods.ts';
import { emptyModel, type ModelStep, type Play } from './model.ts';
import { orderSteps } from './orders.ts';
import { pageSteps } from './pages.ts';
import { taskSteps } from './tasks.ts';

/** Sequences of at most `calls` steps: of all kinds of records that the model knows, or of those that have to do with each other. */
export function modelSequence(calls: number): fc.Arbitrary<ModelStep[]> {
  const kinds = [
    fc.oneof(pageSteps),
    fc.oneof(customerSteps, orderSteps, goodsSteps),
    fc.oneof(goodsSteps, goodsSteps, orderSteps),
    fc.oneof(taskSteps),
    fc.oneof(pageSteps, customerSteps, goodsSteps, orderSteps, taskSteps),
  ];
  return fc.oneof(...kinds.map((kind) => fc.array(kind, { maxLength: calls, size: 'max' })));
}

/** Plays a sequence: after each step the model says what the shop must be like, and at the end everything is compared. */
export async function playModel(session: Session, steps: readonly ModelStep[]): Promise<void> {
  const colleague = await person(session.app, { role: 'owner' });
  const play: Play = { session, model: emptyModel(), colleagueToken: colleague.token };
  for (const step of steps) await step(play);
  await checkAll(play);
}
