import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { connect } from '../client/index.ts';
import type { AdminApi } from '../contract/calls.ts';
import { filesEndpoints } from '../contract/files.ts';
import { LoggedEvent } from '../contract/run-events.ts';
import { Failure, UsageError } from './failure.ts';

export type RemoteShop = {
  client: AdminApi;
  /** Uploads a file of this machine and returns its id. `name`: another name for it in the shop. */
  upload(path: string, name?: string): Promise<number>;
  /** Calls `onEvent` with every event of the run from the first on, and resolves with how the run ended. */
  followRun(
    taskId: number,
    runId: number,
    onEvent: (event: LoggedEvent) => Promise<void> | undefined,
    signal?: AbortSignal,
  ): Promise<RunEnd>;
};

const RunEnd = z.object({ status: z.string(), error: z.string().nullable() });
export type RunEnd = z.infer<typeof RunEnd>;

/** Somebody waits for the answer, and wants to know soon that there is none. */
const CALLS = { times: 2, firstMs: 200, mostMs: 10_000 };
/** A run goes on while its server is replaced. */
const STREAMS = { times: 14, firstMs: 250, mostMs: 10_000 };

const Uploaded = filesEndpoints['files.create'].response;

/** Makes a client for the Backroom server at `url`, with the rights of this token. */
export function connectShop(url: string, token: string): RemoteShop {
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw new UsageError(`--server is "${url}": an address such as http://127.0.0.1:8787 is expected`);
  const { api, upload } = connect({ url, token, retries: CALLS });
  const { follow } = connect({ url, token, retries: STREAMS });
  return {
    client: api,
    async upload(path, name = basename(path)) {
      return Uploaded.parse(await upload('/files', await openFile(path), name)).id;
    },
    async followRun(taskId, runId, onEvent, signal) {
      for await (const { event, data } of follow(`/ai-tasks/${taskId}/runs/${runId}/stream`, { ...(signal && { signal }) })) {
        if (event === 'status') return RunEnd.parse(data);
        if (event === 'event') await onEvent(LoggedEvent.parse(data));
      }
      throw new Failure(`the stream of run ${runId} ended without saying how the run ended`);
    },
  };
}

async function openFile(path: string): Promise<Blob> {
  try {
    if ((await stat(path)).isFile()) return await openAsBlob(path);
  } catch (error) {
    throw new Failure(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  throw new Failure(`${path} is not a file`);
}
