import type { Request } from './admin-api.ts';

/** Makes `llm.complete`, which is an ordinary request to the server. */
export function createLlm(request: Request): object {
  return Object.freeze({
    async complete(asked: unknown) {
      if (typeof asked !== 'object' || asked === null) throw new TypeError('llm.complete takes {messages, schema?, max_tokens}');
      return (await request('POST', '/llm/completions', asked)).body;
    },
  });
}
