import { OWNER_TOKEN } from '../../test/helpers/app.ts';
import { answerText, curlOf } from './example-text.ts';
import type { Bearer } from './examples/example.ts';
import { code } from './markdown.ts';
import type { OpenShop } from './shop.ts';
import type { Masks } from './shown.ts';

/** Sends requests that are not those of an operation's example, such as refused ones, and shows what was answered. */

type Question = {
  method?: 'GET' | 'POST' | 'PATCH';
  /** Path and query, with `/admin/api`. */
  url: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Default: the owner's token; null: none. */
  by?: Bearer;
  /** Headers of the answer that other examples leave out. */
  also?: readonly string[];
};
export type Asked = { markdown: string; status: number; headers: Headers };

export async function ask(open: OpenShop, masks: Masks, question: Question): Promise<Asked> {
  const { method = 'GET', url, body, headers = {}, by = { value: OWNER_TOKEN, shown: 'BACKROOM_TOKEN' }, also } = question;
  const answer = await fetch(open.app.url + url, {
    method,
    headers: {
      ...(by === null ? {} : { authorization: `Bearer ${by.value}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const content = text === '' ? ({ kind: 'none' } as const) : ({ kind: 'json', value: JSON.parse(text) } as const);
  const curl = curlOf({ endpoint: { method }, url, body, by, sentHeaders: headers });
  const shown = answerText({ status: answer.status, headers: Object.fromEntries(answer.headers), content }, also);
  return {
    markdown: `${code('sh', masks.apply(curl))}\n\n${code('http', masks.apply(shown.text))}`,
    status: answer.status,
    headers: answer.headers,
  };
}
