import { setTimeout as delay } from 'node:timers/promises';
import type { ExampleShop, ExamplesOf } from './example.ts';

const DOUBLE = 'A double on this machine answers in place of a model.';

async function rest({ api }: ExampleShop, id: number): Promise<void> {
  while ((await api.assistant.get_thread(id)).state === 'working') await delay(5);
}

export const assistant: ExamplesOf<'assistant'> = {
  'assistant.status': async ({ api, doubles }) => {
    await api.settings.update({ assistant: { provider: 'openai', base_url: doubles.modelUrl, model: 'small', api_key: doubles.modelKey } });
    return { note: DOUBLE };
  },
  'assistant.create_thread': { body: {} },
  'assistant.send_message': ({ got }) => ({
    params: { id: got('assistant.create_thread').id },
    body: { text: 'Which orders came last week, by country?' },
    note: DOUBLE,
  }),
  'assistant.get_thread': async (shop) => {
    const { id } = shop.got('assistant.create_thread');
    await rest(shop, id);
    return { params: { id }, note: DOUBLE };
  },
  'assistant.events': ({ got }) => ({
    params: { id: got('assistant.create_thread').id },
    note: 'The stream goes on; this is its first event.',
  }),
  'assistant.list_threads': {},
  'assistant.stop': async ({ api, got, doubles }) => {
    const { id } = got('assistant.create_thread');
    doubles.hold();
    await api.assistant.send_message(id, { text: 'Write it, please.' });
    return { params: { id }, note: 'The assistant was at work.' };
  },
  'assistant.retry': async (shop) => {
    const { id } = shop.got('assistant.create_thread');
    shop.doubles.release();
    await rest(shop, id);
    return { params: { id }, note: `The thread had been stopped. ${DOUBLE}` };
  },
  'assistant.delete_thread': ({ got }) => ({ params: { id: got('assistant.create_thread').id } }),
};
