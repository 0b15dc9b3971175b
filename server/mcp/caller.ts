import type { Logger } from 'pino';
import { waitForEnd } from '../automation/runs/log/ended.ts';
import type { Answer } from '../calls/call.ts';
import type { InsideRequest } from '../calls/inside-request.ts';
import type { Services } from '../services.ts';
import type { Actor } from '../verbs/context.ts';
import type { Tool } from './tool.ts';

/** What a tool works with: the requests of the agent that calls it, each checked as a request to the API is. */
export type Caller = {
  /** Whether texts about people are shown to the agent. */
  seesPersonalData: boolean;
  permissions: ReadonlySet<string>;
  /** Carries out a request; returns the parsed answer. Throws a `Refusal`. `path` is below /admin/api, with its query. */
  request(method: 'GET' | 'POST', path: string, body?: Record<string, unknown>): Promise<unknown>;
  /** Waits until the run has ended, at most so long. */
  untilEnded(runId: number, seconds: number): Promise<void>;
  /** The address of a page of the console; its path alone, where the shop's public address is not known. */
  pageOf(path: string): Promise<string>;
  /** Notes a call in the admins' log: at once, or, where the tool only reads, soon after its answer. */
  note(line: { tool: Pick<Tool, 'name' | 'readOnly'>; status: 'success' | 'error'; detail: Record<string, unknown> }): Promise<void>;
  log: Logger;
};

type Admin = Extract<Actor, { type: 'admin' }>;

export type CallerOf = Pick<InsideRequest, 'requestId' | 'ip'> & {
  services: Services;
  /** Carries out a request inside the server. */
  carryOut(asked: InsideRequest): Promise<Answer>;
  /** Who calls, as the token allows now. It may have been revoked since the last request: then this throws. */
  identify(): Promise<Admin>;
  agent: Admin;
  /** Ends waits for runs. */
  until: AbortSignal;
};

/** What tools may do for an agent, or for the assistant of an admin: requests, each checked as a request of the token would be. */
export function callerOf({ services, carryOut, identify, agent, requestId, ip, until }: CallerOf): Caller {
  return {
    seesPersonalData: agent.agent?.seesPersonalData === true,
    permissions: agent.permissions,
    log: services.log,
    request: async (method, path, body) => {
      const actor = await identify();
      const answer = await carryOut({ method, path, actor, requestId, ip, ...(body && { body }) });
      return answer.body === null ? null : JSON.parse(answer.body);
    },
    untilEnded: (runId, seconds) => waitForEnd(services, runId, { seconds, until }),
    pageOf: async (path) => `${(await services.settings.get(services.store.reader)).public_url ?? ''}${path}`,
    note: async ({ tool: { name, readOnly }, status, detail }) => {
      const line = { source: 'mcp', action: `mcp.${name}`, status, summary: `${agent.name} called ${name}`, detail, admin: agent } as const;
      if (readOnly) services.logLines.later(line);
      else await services.logLines.now(line);
    },
  };
}
