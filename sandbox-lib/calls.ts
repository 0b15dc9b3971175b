import { type HostOperation, hostCallKinds } from '../contract/script-library.ts';
import { toError } from './errors.ts';
import type { AnswerError, AnswerHeader, Send } from './guest.ts';

export type Calls = {
  /** Returns the JSON text of the answer, or throws the answer's error. */
  call(operation: HostOperation, payload: string): Promise<string>;
  answer(id: number, text: string): void;
  /** The number of calls without an answer, both sent and waiting. */
  pending(): number;
  /** The number of answers that have come. */
  answered(): number;
};

type Entry = {
  operation: HostOperation;
  payload: string;
  settle: (answer: { error?: AnswerError | undefined; value: string }) => void;
  next: Entry | null;
};

/**
 * Sends the calls of a script in their order, at most `concurrent` at a time. A barrier is sent when every earlier call except
 * the detached ones has settled, and later calls wait for it (spec JO6).
 */
export function createCalls(send: Send, concurrent: number, onHeader: (header: AnswerHeader) => void): Calls {
  const open = new Map<number, Entry>();
  let first: Entry | null = null;
  let last: Entry | null = null;
  let waiting = 0;
  let detached = 0;
  let barrierIsActive = false;
  let lastId = 0;
  let answered = 0;

  return {
    async call(operation, payload) {
      const answer = await new Promise<{ error?: AnswerError | undefined; value: string }>((settle) => {
        const entry: Entry = { operation, payload, settle, next: null };
        if (last) last.next = entry;
        else first = entry;
        last = entry;
        waiting += 1;
        sendWaiting();
      });
      // The error is made here, so that its stack names the line of the script that awaits the call.
      if (answer.error) throw toError(answer.error);
      return answer.value;
    },
    answer(id, text) {
      answered += 1;
      const entry = open.get(id);
      if (!entry) return;
      open.delete(id);
      const kind = hostCallKinds[entry.operation];
      if (kind === 'detached') detached -= 1;
      if (kind === 'barrier') barrierIsActive = false;
      const end = text.indexOf('\n');
      const header: AnswerHeader = JSON.parse(text.slice(0, end));
      onHeader(header);
      entry.settle({ error: header.error, value: text.slice(end + 1) });
      sendWaiting();
    },
    pending: () => open.size + waiting,
    answered: () => answered,
  };

  function sendWaiting(): void {
    while (first && open.size < concurrent && !barrierIsActive) {
      const entry: Entry = first;
      const kind = hostCallKinds[entry.operation];
      if (kind === 'barrier' && open.size > detached) return;
      first = entry.next;
      if (!first) last = null;
      waiting -= 1;
      if (kind === 'detached') detached += 1;
      if (kind === 'barrier') barrierIsActive = true;
      lastId += 1;
      open.set(lastId, entry);
      send(lastId, entry.operation, entry.payload);
    }
  }
}
