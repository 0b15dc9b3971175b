import type { HttpDoubleAnswer, SentRequest, ShopOptions } from '../sandbox-lib/testing.ts';
import { AnswerLost, NotSent, type Outgoing } from '../server/providers/http/send.ts';

/** Answers the requests of a task under test in place of the network, and keeps them. */
export function createHttpDouble(http: NonNullable<ShopOptions['http']>): Outgoing & { sent: SentRequest[] } {
  const sent: SentRequest[] = [];
  const answerTo = typeof http === 'function' ? http : (request: SentRequest) => listed(http, request);
  return {
    sent,
    async send({ method, origin, target, headers, body }) {
      const request = { method, url: `${origin}${target}`, headers: { ...headers }, body: body === null ? null : body.toString('utf8') };
      sent.push(request);
      const answer = await answerTo(request);
      if (answer === 'unreachable') throw new NotSent('the test cannot be reached', { isFinal: false });
      if (answer === 'lost') throw new AnswerLost('the test gave no answer');
      const { status = 200, body: value = '' } = answer;
      const names = Object.entries(answer.headers ?? {}).map(([name, text]) => [name.toLowerCase(), text]);
      return { status, headers: Object.fromEntries(names), body: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)) };
    },
  };
}

function listed(
  list: Exclude<NonNullable<ShopOptions['http']>, (...args: never) => unknown>,
  { method, url }: SentRequest,
): HttpDoubleAnswer {
  const found = list.find((one) => (one.method ?? 'GET') === method && one.url === url);
  return found?.answer ?? 'unreachable';
}
