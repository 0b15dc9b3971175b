import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Asked, anthropicProtocol, type ModelFault, type ModelTurn, openAiProtocol, type Protocol } from './model-protocols.ts';

/** A server on loopback that plays given turns of a model, or faults, to clients of either provider. */

export const MODEL_KEY = 'sk-of-the-model-0123456789';

export type Provider = 'openai' | 'anthropic';
export type Reply = ModelTurn | ModelFault;
/** `body` is the whole text of the request. */
export type Request = Asked & { provider: Provider; body: string; headers: IncomingMessage['headers'] };
export type Script = (request: Request) => Reply | Promise<Reply>;

export type ModelServer = {
  /** The value for `base_url`. */
  url(provider: Provider): string;
  /** All requests, in their order. */
  asked: Request[];
  /** Sets what is played from now on. */
  play(script: Script): void;
  close(): Promise<void>;
};

const PROTOCOLS: Readonly<Record<Provider, Protocol>> = { openai: openAiProtocol, anthropic: anthropicProtocol };

/** Plays the replies one after the other, the last one again and again. */
export function inOrder(...replies: readonly Reply[]): Script {
  let n = 0;
  return () => replies[Math.min(n++, replies.length - 1)] ?? { error: 'broken' };
}

export async function openModelServer(): Promise<ModelServer> {
  const asked: Request[] = [];
  let script: Script = () => ({ text: 'Hello!' });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString();
    const provider: Provider = request.url?.startsWith('/openai/') ? 'openai' : 'anthropic';
    const protocol = PROTOCOLS[provider];
    const fail = ({ error, retryAfter, message, param }: ModelFault): void => {
      const { status, body: told } = protocol.fault(error);
      const replaced: Record<string, string | undefined> = { message, param };
      const text = JSON.stringify(told, (name, value: unknown) => replaced[name] ?? value);
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      });
      response.end(text);
    };
    if (request.url !== `/${provider}${protocol.path}`) return fail({ error: 'unknown_model' });
    const key = request.headers[protocol.keyHeader];
    if (key !== undefined && key !== protocol.keyOf(MODEL_KEY)) return fail({ error: 'unauthorized' });
    if (provider === 'anthropic' && request.headers['anthropic-version'] !== '2026-10-21')
      return fail({ error: 'invalid', message: 'anthropic-version' });
    let seen: Request;
    try {
      seen = { ...protocol.asked(JSON.parse(body)), provider, body, headers: request.headers };
    } catch (error) {
      return fail({ error: 'invalid', message: String(error) });
    }
    asked.push(seen);
    const reply = await script(seen);
    if ('error' in reply) return fail(reply);
    await stream(response, protocol, reply, seen);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  // Not five seconds: a busy client would send its next request over a connection that is just being closed.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: (provider) => `http://127.0.0.1:${port}/${provider}${provider === 'openai' ? '/v1' : ''}`,
    asked,
    play(next) {
      script = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** About four characters make a token. */
const tokens = (text: string): number => Math.ceil(text.length / 4);

async function stream(response: ServerResponse, protocol: Protocol, turn: ModelTurn, { model, body }: Request): Promise<void> {
  const written = (turn.text ?? '') + JSON.stringify(turn.calls ?? []);
  const usage = turn.usage ?? { prompt_tokens: tokens(body), completion_tokens: tokens(written) };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = protocol.events({ ...turn, usage }, model);
  const sent = turn.breaks ? events.slice(0, Math.ceil(events.length / 2)) : events;
  for (const event of sent) if (!response.write(event)) await new Promise((resolve) => response.once('drain', resolve));
  if (turn.breaks === 'silent') return;
  if (turn.breaks === 'overloaded') response.write(protocol.overloaded);
  // What was written is received first.
  if (turn.breaks === 'cut') await new Promise((resolve) => setImmediate(resolve)).then(() => response.destroy());
  else response.end();
}
