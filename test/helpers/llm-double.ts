import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** A server for chat completions that answers as OpenAI's documentation says (platform.openai.com/docs/api-reference/chat). */

export const LLM_KEY = 'sk-of-the-tests-0123456789';

const Body = z.looseObject({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  max_tokens: z.int().optional(),
  max_completion_tokens: z.int().optional(),
  response_format: z
    .object({ type: z.literal('json_schema'), json_schema: z.object({ name: z.string(), schema: z.record(z.string(), z.unknown()) }) })
    .optional(),
});
type Body = z.infer<typeof Body>;

/** One reply. `cut`: the connection ends without an answer; `stream`: an answer that never ends. */
export type Reply =
  | { text: string; usage?: { prompt_tokens: number; completion_tokens: number } | null; finish_reason?: string }
  | { status: number; error?: Record<string, unknown>; headers?: Record<string, string> }
  | { raw: string }
  | 'cut'
  | 'stream';

export type LlmDouble = {
  /** The value for `llm.base_url`. */
  url: string;
  /** All requests, in their order. */
  asked: (Body & { authorization: string | undefined; request_id: string | string[] | undefined })[];
  /** Sets the function that makes the replies. It may wait; `closed` settles when the client has closed its connection. */
  decide(decide: (body: Body, closed: Promise<void>) => Reply | Promise<Reply>): void;
  close(): Promise<void>;
};

export const hello = (): Reply => ({ text: 'Hello!', usage: { prompt_tokens: 9, completion_tokens: 3 } });

export async function openLlmDouble(): Promise<LlmDouble> {
  const asked: LlmDouble['asked'] = [];
  let decide: Parameters<LlmDouble['decide']>[0] = hello;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Body.parse(JSON.parse(Buffer.concat(await request.toArray()).toString()));
    const { authorization, 'x-request-id': request_id } = request.headers;
    asked.push({ ...body, authorization, request_id });
    const send = (status: number, value: unknown, headers = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof value === 'string' ? value : JSON.stringify(value));
    };
    if (request.url !== '/v1/chat/completions') return send(404, { error: { message: `Unknown request URL: ${request.url}.` } });
    if (authorization !== undefined && authorization !== `Bearer ${LLM_KEY}`) {
      return send(401, { error: { message: `Incorrect API key provided: ${authorization}.`, code: 'invalid_api_key' } });
    }
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    const reply = await decide(body, closed);
    if (reply === 'cut') request.socket.destroy();
    else if (reply === 'stream') {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (response.write(' '.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    } else if ('raw' in reply) send(200, reply.raw);
    else if ('status' in reply) send(reply.status, { error: { message: 'It did not work.', ...reply.error } }, reply.headers);
    else {
      const { text, usage, finish_reason = 'stop' } = reply;
      const choices = [{ index: 0, message: { role: 'assistant', content: text, refusal: null }, finish_reason }];
      send(200, { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: body.model, choices, ...(usage && { usage }) });
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  // Not five seconds: a busy client would send its next request over a connection that is just being closed.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    decide(next) {
      decide = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
