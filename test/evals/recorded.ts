import { type ModelServer, openModelServer, type Provider, type Reply, type Request } from '../helpers/model-server.ts';
import type { EvalCase, Turn } from './case.ts';
import type { ShopData } from './shop.ts';

/** A model whose turns were written by hand: each conversation gets those of the case whose wish it begins with. */
export async function openRecordedModel(cases: readonly EvalCase[], data: ShopData): Promise<ModelServer> {
  const model = await openModelServer();
  const turns = new Map(cases.map(({ wish, turns: given }) => [wish, typeof given === 'function' ? given(data) : given]));
  const played = new Map<string, number>();
  model.play((asked) => {
    const wish = [...turns.keys()].find((text) => asked.said[0]?.text.startsWith(text));
    if (wish === undefined) return { error: 'invalid', message: `no wish of the evals: ${asked.said[0]?.text}` };
    const n = played.get(asked.provider + wish) ?? 0;
    played.set(asked.provider + wish, n + 1);
    return replyOf(turns.get(wish) ?? [], n, asked);
  });
  return model;
}

/** The last turn is played again and again. */
function replyOf(turns: readonly Turn[], n: number, asked: Request): Reply {
  const turn = turns[Math.min(n, turns.length - 1)] ?? { text: 'Nothing.' };
  return typeof turn === 'function' ? turn(asked) : turn;
}

/** What was sent to the model and must not be: secrets, and the addresses of customers. */
export function leaks({ asked }: ModelServer, provider: Provider, secrets: readonly string[], data: ShopData): string[] {
  const hidden = [...secrets, ...data.customers.map(({ email }) => email)];
  const bodies = asked.filter((request) => request.provider === provider).map(({ body }) => body);
  return hidden.filter((text) => bodies.some((body) => body.includes(text))).map((text) => `the model was sent ${text.slice(0, 12)}…`);
}
