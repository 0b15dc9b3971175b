import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { AdminApi } from '../../contract/calls.ts';
import type { TestApp } from './app.ts';

type NewAgent = Partial<Parameters<AdminApi['me']['create_agent']>[0]>;

const Content = z.array(z.object({ type: z.literal('text'), text: z.string() }));
const Structured = z.object({ untrusted_data: z.unknown(), more: z.number().nullable() });

/** What a tool answered; `text` is what a model reads. */
export type ToolAnswer = { isError: boolean; text: string; data: unknown; more: number | null };

export type ConnectedAgent = {
  id: number;
  token: string;
  client: Client;
  /** Calls a tool. */
  tool(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
  /** Calls a tool that must not be refused; returns its data. */
  data<T>(name: string, shape: z.ZodType<T>, args?: Record<string, unknown>): Promise<T>;
};

/** Makes an agent of the admin, and connects it by the official client. `revision`: that of the protocol. */
export async function connectAgent(
  app: TestApp,
  { api = app.client, revision = '2026', ...body }: NewAgent & { api?: AdminApi; revision?: '2025' | '2026' } = {},
): Promise<ConnectedAgent> {
  const { id, token } = await api.me.create_agent({ name: 'laptop', permissions: [], ...body });
  assert.ok(token);
  return { id, token, ...(await openClient(app, token, revision)) };
}

export async function openClient(app: Pick<TestApp, 'url'>, token: string, revision: '2025' | '2026' = '2026') {
  const client = new Client(
    { name: 'test', version: '1' },
    revision === '2025' ? {} : { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit }));
  const tool: ConnectedAgent['tool'] = async (name, args = {}) => {
    const answer = await client.callTool({ name, arguments: args });
    const [content] = Content.parse(answer.content);
    const structured = Structured.safeParse(answer.structuredContent);
    return {
      isError: answer.isError === true,
      text: content?.text ?? '',
      data: structured.data?.untrusted_data,
      more: structured.data?.more ?? null,
    };
  };
  const data: ConnectedAgent['data'] = async (name, shape, args) => {
    const answer = await tool(name, args);
    assert.equal(answer.isError, false, answer.text);
    return shape.parse(answer.data);
  };
  return { client, tool, data };
}
