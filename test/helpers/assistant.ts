import assert from 'node:assert/strict';
import type { AssistantConversation, AssistantItem } from '../../contract/assistant.ts';
import type { AdminApi } from '../../contract/calls.ts';
import type { SettingsPatch } from '../../contract/settings.ts';
import type { TestApp } from './app.ts';
import { until } from './machines.ts';
import { MODEL_KEY, type ModelServer, type Provider } from './model-server.ts';

type Settings = NonNullable<SettingsPatch['assistant']>;

/** Sets the model of the shop's assistant. */
export async function setModel(app: TestApp, model: ModelServer, settings: Settings & { provider?: Provider } = {}): Promise<void> {
  const { provider = 'openai' } = settings;
  const limits = { thread_tokens: 1_000_000, day_tokens: 10_000_000, admin_day_tokens: 3_000_000 };
  await app.client.settings.update({
    assistant: { provider, base_url: model.url(provider), model: 'small', api_key: MODEL_KEY, ...limits, ...settings },
  });
}

/** Waits until nothing works on the thread. */
export function atRest(api: AdminApi, id: number): Promise<AssistantConversation> {
  return until('the assistant does not come to rest', async () => {
    const thread = await api.assistant.get_thread(id);
    return thread.state === 'working' ? undefined : thread;
  });
}

/** Sends a message, in a new thread unless one is named, and waits for the end of the turn. */
export async function ask(api: AdminApi, text: string, to?: number): Promise<AssistantConversation> {
  const id = to ?? (await api.assistant.create_thread({})).id;
  await api.assistant.send_message(id, { text });
  return atRest(api, id);
}

type Of<Kind extends AssistantItem['kind']> = Extract<AssistantItem, { kind: Kind }>;

export function itemsOf<Kind extends AssistantItem['kind']>({ items }: Pick<AssistantConversation, 'items'>, kind: Kind): Of<Kind>[] {
  return items.filter((item): item is Of<Kind> => item.kind === kind);
}

/** The only item of a kind. */
export function itemOf<Kind extends AssistantItem['kind']>(thread: Pick<AssistantConversation, 'items'>, kind: Kind): Of<Kind> {
  const [item, ...others] = itemsOf(thread, kind);
  assert.ok(item && others.length === 0, `${others.length + (item ? 1 : 0)} items of kind ${kind}`);
  return item;
}
