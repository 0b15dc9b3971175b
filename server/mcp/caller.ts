import type { Logger } from 'pino';

/** What a tool works with: the requests of the agent that calls it, each checked as a request to the API is. */
export type Caller = {
  /** Whether texts about people are shown to the agent. */
  seesPersonalData: boolean;
  permissions: ReadonlySet<string>;
  /** Carries out a request; returns the parsed answer. Throws a `Refusal`. `path` is below /admin/api, with its query. */
  request(method: 'GET' | 'POST', path: string, body?: Record<string, unknown>): Promise<unknown>;
  /** Waits until the run has ended, at most so long. */
  untilEnded(runId: number, seconds: number): Promise<void>;
  /** Stores a line of the admins' log. */
  note(line: { tool: string; status: 'success' | 'error'; detail: Record<string, unknown> }): Promise<void>;
  log: Logger;
};
