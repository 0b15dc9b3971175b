import { randomUUID } from 'node:crypto';
import { requestIdHeader } from '../../process/request-id.ts';
import { classify, type ErrorClasses } from '../llm/failures.ts';
import { LlmFailed } from '../llm/llm.ts';
import { outgoingSpan } from '../outgoing-span.ts';
import type { Chat, ChatAccount, ChatPart, ChatRequest, ToolCall } from './chat.ts';

/** However steadily it comes. */
const ANSWER_MAX_MS = 15 * 60_000;

export type CallOptions = { signal: AbortSignal; headers: Record<string, string> };

/** What one provider does its own way. */
type Protocol<P extends ErrorClasses> = {
  /** Loads the provider's package. */
  load(): Promise<P>;
  /** Sends the request; resolves to the events of the answer when they begin to come. */
  ask(loaded: P, account: ChatAccount, request: ChatRequest, options: CallOptions): Promise<AsyncIterable<unknown>>;
  /** The last part is the `end`; there is none where the events broke off. */
  read(events: AsyncIterable<unknown>): AsyncIterable<ChatPart>;
};

export function chatOf<P extends ErrorClasses>({ load, ask, read }: Protocol<P>, silentMs: number): Chat {
  return {
    async *stream(account, request, signal) {
      const loaded = await load();
      const tooLong = AbortSignal.timeout(ANSWER_MAX_MS);
      const options = { signal: AbortSignal.any([signal, tooLong]), headers: requestIdHeader() };
      const stopped = (): LlmFailed | null =>
        options.signal.aborted
          ? new LlmFailed(signal.aborted ? 'the request was stopped' : `it took longer than ${ANSWER_MAX_MS / 60_000} minutes`)
          : null;
      let hasBegun = false;
      try {
        const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': account.model };
        // The span ends where the answer begins: how long it is then read, the reader decides.
        const events = await outgoingSpan(`chat ${account.model}`, account.base_url, attributes, () =>
          ask(loaded, account, request, options),
        );
        const noted = async function* (): AsyncIterable<unknown> {
          for await (const event of events) {
            hasBegun = true;
            yield event;
          }
        };
        for await (const part of read(noted())) {
          yield part;
          if (part.kind === 'end') return;
        }
      } catch (error) {
        const failure = stopped() ?? classify(loaded, error, account.api_key, silentMs);
        // What has begun is charged, so no failure of it is one that costs nothing.
        throw hasBegun && !(failure instanceof LlmFailed) ? new LlmFailed(`it broke off: ${failure.message}`, { cause: failure }) : failure;
      }
      throw stopped() ?? new LlmFailed('the answer broke off');
    },
  };
}

/** A call as it is written, piece by piece. */
export type Writing = { id: string; name: string; written: string };

export function callOf({ id, name, written }: Writing): ToolCall {
  return { id: id || `call_${randomUUID()}`, name, input: objectOf(written), written };
}

/** Models write nothing for a tool without input. */
function objectOf(written: string): Record<string, unknown> | null {
  if (written.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** A call as it is sent again with the turns after it: some servers refuse a conversation whose calls are no JSON. */
export function inputAgain({ input, written }: ToolCall): Record<string, unknown> {
  return input ?? { not_json: written };
}
