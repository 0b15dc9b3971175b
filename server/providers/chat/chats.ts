import { createAnthropicChat } from './anthropic.ts';
import type { Chat } from './chat.ts';
import { createOpenAiChat } from './openai.ts';

/** All providers, each loaded at its first use. `silentMs` is how long a service may send nothing. */
export function createChat({ silentMs }: { silentMs: number }): Chat {
  const chats = { openai: createOpenAiChat(silentMs), anthropic: createAnthropicChat(silentMs) };
  return { stream: (account, request, signal) => chats[account.provider].stream(account, request, signal) };
}
