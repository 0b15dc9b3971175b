import type { HostOperation } from '../contract/host-calls.ts';

/** What the parts of the prelude share; made once in bootstrap.ts. No script ever sees these objects. */

/** What the guest sends: calls, how the script ended, and that it asks for one more turn. */
export type Message = HostOperation | 'outcome' | 'turn';

/** What the worker hands in before a run, as JSON. */
export type Config = {
  now_ms: number;
  seed: string;
  parameters: unknown;
  checkpoint: unknown;
  limits: Limits;
};

export type Limits = {
  log_bytes: number;
  log_lines: number;
  line_bytes: number;
  result_bytes: number;
  body_bytes: number;
  checkpoint_bytes: number;
  concurrent_calls: number;
};

/** Fields of `ToWorker` answers that the worker passes on; `value` follows them as text of its own. */
export type AnswerHeader = {
  now_ms?: number;
  seed?: string;
  error?: AnswerError;
};
export type AnswerError = { name: string; message: string; fields?: Record<string, unknown> };

/** How a run ended, told to the worker as JSON. */
export type GuestOutcome = {
  end_reason: 'completed' | 'script_error' | 'heap';
  error_message: string | null;
  result: string | null;
  /** Calls whose answers nobody waits for any more. */
  pending: number;
};

/** Sends one message out; id 0 wants no answer. */
export type Send = (id: number, operation: Message, payload: string) => void;
