import type { ShopFacts } from '../contract/runner.ts';
import type { HostOperation } from '../contract/script-library.ts';

/** Types that the parts of the prelude share. bootstrap.ts makes the objects; scripts never see them. */

/** The kinds of messages that the guest sends: host calls, the script's outcome, and a request for one more turn. */
export type Message = HostOperation | 'outcome' | 'turn';

/** The JSON that the worker passes to the guest before a run. */
export type Config = {
  task_id: number;
  now_ms: number;
  /** The `timeOrigin` of `performance`. */
  began_ms: number;
  seed: string;
  /** The drawn part of the placeholders for secrets. */
  secret_mark: string;
  /** The mappings of the source map, where the code was transformed. */
  mappings: string | null;
  parameters: unknown;
  checkpoint: unknown;
  shop: ShopFacts;
};

export type Limits = {
  log_bytes: number;
  log_lines: number;
  line_bytes: number;
  result_bytes: number;
  details_bytes: number;
  body_bytes: number;
  /** A call that sends a request to another system, with its escapes. */
  request_bytes: number;
  checkpoint_bytes: number;
  concurrent_calls: number;
};

/** The fields of an answer (`ToWorker`) that come first as one line of JSON; the text of `value` follows them. */
export type AnswerHeader = {
  now_ms?: number;
  seed?: string;
  error?: AnswerError;
};
export type AnswerError = { name: string; message: string; fields?: Record<string, unknown> };

/** How the script ended; the guest reports it to the worker as JSON. */
export type GuestOutcome = {
  end_reason: 'completed' | 'script_error' | 'heap';
  error_message: string | null;
  result: string | null;
  /** The script threw a RetryAfter of this time. */
  retry_after_ms?: number | undefined;
  /** The number of calls that were still without an answer. */
  pending: number;
};

/** Sends one message to the worker; a message with id 0 gets no answer. */
export type Send = (id: number, operation: Message, payload: string) => void;
