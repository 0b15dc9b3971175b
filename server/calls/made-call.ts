import type { Endpoint } from '../../contract/endpoint.ts';
import { type Actor, NOTHING_PREPARED } from '../verbs/context.ts';
import type { Call, Target } from './call.ts';

type Asked = Pick<Call, 'permission' | 'params' | 'body' | 'actor' | 'requestId' | 'ip' | 'target' | 'header'>;

/** The call of a request, whose values are checked when its verb asks for them. */
export function makeCall({ endpoint, validator }: Target, asked: Asked): Call {
  const { actor, body } = asked;
  const unknown = isForRunners(endpoint, actor) ? 'ignored' : 'refused';
  // What a run or its runner sends comes from a program whose numbers are what they are; from others, a number may have been another one.
  const isProgram = actor.type === 'task' || actor.type === 'runner';
  const numbers = isProgram ? body.numbers.filter(({ isChanged }) => isChanged) : body.numbers;
  const start = asked.target.indexOf('?');
  const search = new URLSearchParams(start === -1 ? '' : asked.target.slice(start));
  let query: Record<string, unknown> | undefined;
  return {
    ...asked,
    endpoint,
    search,
    query: () => (query ??= validator.query(search, unknown)),
    values: (value) => validator.body(value, unknown, value === body.value ? numbers : []),
    prepared: NOTHING_PREPARED,
  };
}

/** What a runner reports. It may be newer than this server, and then says more than the server knows. */
function isForRunners({ permission }: Endpoint, actor: Actor): boolean {
  return permission === 'admin_api.runner.write' || (actor.type === 'task' && actor.token === 'report');
}

/** A query that the schema will refuse with 422 is not heavy. */
export function isHeavy({ query }: Call, judge: ((query: unknown) => boolean) | undefined): boolean {
  if (!judge) return false;
  try {
    return judge(query());
  } catch {
    return false;
  }
}
