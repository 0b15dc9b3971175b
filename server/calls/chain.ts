import type { Answer } from './call.ts';

/** What stands around the later part of a call's way: it may answer by itself, or do something before and after `next`. */
export type Wrapper<In, Out = In> = (call: In, next: (call: Out) => Promise<Answer>) => Promise<Answer>;

/** Wrappers in the order in which a call comes through them; joined once, so that a call makes no functions on its way. */
export type Chain<In, Out = In> = {
  use<Next>(wrapper: Wrapper<Out, Next>): Chain<In, Next>;
  to(last: (call: Out) => Promise<Answer>): (call: In) => Promise<Answer>;
};

export function chainOf<Call>(): Chain<Call> {
  return chain((last) => last);
}

function chain<In, Out>(to: Chain<In, Out>['to']): Chain<In, Out> {
  return { to, use: (wrapper) => chain((last) => to((call) => wrapper(call, last))) };
}
