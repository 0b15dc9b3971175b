/**
 * A service that talks with tools, its words as they come. Its adapters classify its answers as the errors of `../llm/llm.ts`; they never
 * repeat a request by themselves. A stream that breaks off before its `end` throws `LlmFailed`.
 */

/** The account, from the shop's settings. */
export type ChatAccount = { provider: 'openai' | 'anthropic'; base_url: string; model: string; api_key: string | null };

/** `input` is a JSON schema. */
export type ChatTool = { name: string; description: string; input: Record<string, unknown> };

/** `input` is null where the model wrote no JSON object; `written` is what it wrote. */
export type ToolCall = { id: string; name: string; input: Record<string, unknown> | null; written: string };

export type ChatTurn =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls: readonly ToolCall[] }
  | { role: 'tools'; answers: readonly { id: string; text: string; isError: boolean }[] };

export type ChatRequest = { system: string; turns: readonly ChatTurn[]; tools: readonly ChatTool[]; maxTokens: number };

export type ChatUsage = { prompt_tokens: number; completion_tokens: number };

export type ChatPart =
  | { kind: 'text'; text: string }
  | { kind: 'call'; call: ToolCall }
  /** `usage` is null if the service does not report it. With `length`, the last call may be cut off. */
  | { kind: 'end'; reason: 'stop' | 'calls' | 'length' | 'refusal'; usage: ChatUsage | null };

export type Chat = { stream(account: ChatAccount, request: ChatRequest, signal: AbortSignal): AsyncIterable<ChatPart> };
