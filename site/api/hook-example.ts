import { ask } from './ask.ts';
import type { OpenShop } from './shop.ts';
import type { Masks } from './shown.ts';

/** The call of a hook, which other systems make. */
export async function hookExample(open: OpenShop, masks: Masks): Promise<string> {
  const { app } = open;
  const { task_id } = await app.client.ai_tasks.create({
    name: 'Signs up a customer',
    description: '',
    source_code: "import { log, parameters } from 'backroom';\n\nexport default () => log(parameters);\n",
    permissions: [],
    parameters: [],
  });
  const { id, url_path: url } = await app.client.ai_tasks.create_hook(task_id, { name: 'Newsletter service' });
  if (url === null) throw new Error('a new hook tells its address');
  masks.add(url.split('/').at(-1) ?? '', '<secret>');
  masks.add(`hooks/${id}/`, 'hooks/1/');
  return (await ask(open, masks, { method: 'POST', url, body: { email: 'nora.lindqvist@example.org' }, by: null })).markdown;
}
