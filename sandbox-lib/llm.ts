import type { Request } from './admin-api.ts';

/** `llm.complete`: a call like any other, which the server carries out. */
export function createLlm(request: Request): object {
  return Object.freeze({
    async complete(asked: unknown) {
      if (typeof asked !== 'object' || asked === null) throw new TypeError('llm.complete takes {messages, schema?, max_tokens}');
      return (await request('POST', '/llm/completions', asked)).body;
    },
  });
}
