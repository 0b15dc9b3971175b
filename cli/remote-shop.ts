import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { type AdminApi, ApiError, createClient } from '../contract/client.ts';
import { Problem } from '../contract/errors.ts';
import { filesCreate } from '../contract/files.ts';
import { LoggedEvent } from '../contract/run-events.ts';

export type RemoteShop = {
  client: AdminApi;
  /** Uploads a file of this machine; its id. */
  upload(path: string): Promise<number>;
  /** Every event of the run from its first, then how it ended. */
  followRun(
    taskId: number,
    runId: number,
    onEvent: (event: LoggedEvent) => Promise<void> | undefined,
    signal?: AbortSignal,
  ): Promise<RunEnd>;
};

const RunEnd = z.object({ status: z.string(), error: z.string().nullable() });
export type RunEnd = z.infer<typeof RunEnd>;

const Uploaded = filesCreate.response;
const ROUTE = '/admin/api';
const RETRY_MS = 1000;

/** A Backroom server at an address, as the holder of a token sees it. */
export function connectShop(url: string, token: string): RemoteShop {
  const authorization = `Bearer ${token}`;
  const client = createClient(async ({ method, path, body, headers }) => {
    const answer = await fetch(`${url}${ROUTE}${path}`, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: text === '' ? null : parseJson(text) };
  });

  return {
    client,
    async upload(path) {
      const form = new FormData();
      form.append('file', await openAsBlob(path), basename(path));
      const answer = await fetch(`${url}${ROUTE}/files`, { method: 'POST', headers: { authorization }, body: form });
      const text = await answer.text();
      if (!answer.ok) throw new ApiError(answer.status, Problem.safeParse(parseJson(text)).data ?? null);
      return Uploaded.parse(parseJson(text)).id;
    },
    async followRun(taskId, runId, onEvent, signal) {
      let lastId = '';
      for (;;) {
        const answer = await fetch(`${url}${ROUTE}/ai-tasks/${taskId}/runs/${runId}/stream`, {
          headers: { authorization, ...(lastId === '' ? {} : { 'last-event-id': lastId }) },
          ...(signal ? { signal } : {}),
        });
        if (!answer.ok || !answer.body) throw new Error(`the stream of run ${runId} answers ${answer.status}: ${await answer.text()}`);
        for await (const message of readMessages(answer.body)) {
          if (message.event === 'status') return RunEnd.parse(JSON.parse(message.data));
          lastId = message.id;
          await onEvent(LoggedEvent.parse(JSON.parse(message.data)));
        }
        // The connection was cut before the run had ended: go on after the last event.
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

type Message = { id: string; event: string; data: string };

/** Server-Sent Events; comments and what has no data are passed over. */
async function* readMessages(stream: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block
          .split('\n')
          .flatMap((line) => (/^\w+: /.test(line) ? [[line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]] : [])),
      );
      const data = fields.get('data');
      if (data !== undefined) yield { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data };
    }
  }
}
