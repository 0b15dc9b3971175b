import type { Outgoing } from '../../server/providers/http/send.ts';
import { openLlmDouble } from '../../test/helpers/llm-double.ts';
import { MODEL_KEY, openModelServer } from '../../test/helpers/model-server.ts';
import { startReceiver } from '../../test/helpers/receiver.ts';
import { startSmtp } from '../../test/helpers/smtp.ts';

/** Other systems, on this machine, in place of those that a shop has. The pages say where one of them answered. */
export type Doubles = {
  smtpPort: number;
  llmUrl: string;
  modelUrl: string;
  modelKey: string;
  /** Where webhooks are received. */
  receiverUrl: string;
  /** From now on, the assistant's model answers only after `release`. */
  hold(): void;
  release(): void;
  /** What stands in an answer for the address of a double. */
  addresses: ReadonlyMap<string, string>;
  close(): Promise<void>;
};

const ANSWER = 'A task that lists the orders of the last week, by country, needs only `admin_api.orders.read`. Shall I write it?';

export async function openDoubles(): Promise<Doubles> {
  const refuseNobody = (address: string) => (address.startsWith('nobody@') ? { code: 550, words: 'no such mailbox' } : undefined);
  const [llm, model, smtp, receiver] = await Promise.all([
    openLlmDouble(),
    openModelServer(),
    startSmtp({ atRecipient: refuseNobody }),
    startReceiver(),
  ]);
  llm.decide(() => ({ text: '{"urgent":true}', usage: { prompt_tokens: 41, completion_tokens: 6 } }));
  let free = Promise.resolve();
  let release = (): void => undefined;
  model.play(async () => {
    await free;
    return { text: ANSWER, usage: { prompt_tokens: 912, completion_tokens: 31 } };
  });
  const modelUrl = model.url('openai');
  return {
    smtpPort: smtp.port,
    llmUrl: llm.url,
    modelUrl,
    modelKey: MODEL_KEY,
    receiverUrl: receiver.url,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      free = promise;
      release = resolve;
    },
    release: () => release(),
    addresses: new Map([
      [llm.url, 'https://models.example/v1'],
      [modelUrl, 'https://models.example/v1'],
      [receiver.url, 'https://erp.example/backroom'],
      [`"port":${smtp.port}`, '"port":587'],
    ]),
    async close() {
      release();
      await Promise.all([llm.close(), model.close(), smtp.close(), receiver.close()]);
    },
  };
}

/** The warehouse's system, to which the examples of tasks send requests. Nothing leaves this machine. */
export const warehouse: Outgoing = {
  async send({ method, target }) {
    const body = method === 'GET' ? { sku: target.split('/').at(-1), on_hand: 42 } : { id: 'pick-1207', state: 'queued' };
    const status = method === 'GET' ? 200 : 201;
    return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) };
  },
};
