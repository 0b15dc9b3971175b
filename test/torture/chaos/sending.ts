import { setTimeout as delay } from 'node:timers/promises';
import { FormData, Pool } from 'undici';
import { z } from 'zod';
import { type AdminApi, ApiError, type ClientRequest } from '../../../contract/calls.ts';
import { createClient } from '../../../contract/client.ts';
import { Problem } from '../../../contract/errors.ts';
import type { Ledger } from './ledger.ts';

/** A client of the shop that repeats each request, with the same Idempotency-Key, until it is answered. */
export type PatientClient = { api: AdminApi; close(): Promise<void> };

/** Thrown when a request got no answer before `giveUp` was aborted. */
export class Unanswered extends Error {}

const ANSWER_MS = 4000;
const WAIT_FIRST_MS = 50;
const WAIT_MAX_MS = 800;

/** The answers after which a good client sends a request again: busy, stopping, or a proxy that could not reach the server. */
const AGAIN = new Set([429, 500, 502, 503, 504]);

/** `giveUp`: ends the repeating. */
export function openPatientClient(url: string, token: string, ledger: Ledger, giveUp: AbortSignal): PatientClient {
  const pool = new Pool(url, { connections: 32, headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS, connectTimeout: ANSWER_MS });

  async function once({ method, path, body, headers }: ClientRequest): Promise<{ status: number; body: unknown }> {
    const isForm = typeof body === 'object' && body !== null && 'file' in body;
    const answer = await pool.request({
      method,
      path: `/admin/api${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : isForm ? formOf(body) : JSON.stringify(body),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, body: text === '' ? null : JSON.parse(text) };
  }

  const api = createClient(async (request) => {
    for (let waitMs = WAIT_FIRST_MS; ; waitMs = Math.min(waitMs * 2, WAIT_MAX_MS)) {
      const reply = await once(request).catch(() => null);
      ledger.count(reply?.status ?? 0);
      if (reply?.status === 500) ledger.faults.push(`${request.method} ${request.path}: 500 ${JSON.stringify(reply.body)}`);
      if (reply && !isUnanswered(reply)) return { status: reply.status, headers: {}, body: reply.body };
      if (giveUp.aborted) throw new Unanswered(`${request.method} ${request.path}: no answer, the last was ${reply?.status ?? 'none'}`);
      await delay(waitMs);
    }
  });
  return { api, close: () => pool.destroy() };
}

function isUnanswered({ status, body }: { status: number; body: unknown }): boolean {
  return AGAIN.has(status) || (status === 409 && Problem.safeParse(body).data?.code === 'idempotency_in_progress');
}

const Form = z.looseObject({ file: z.object({ filename: z.string(), content: z.string() }) });

/** The form is the same, byte for byte except for its boundary, each time it is sent. */
function formOf(body: object): FormData {
  const { file, ...texts } = Form.parse(body);
  const form = new FormData();
  for (const [name, value] of Object.entries(texts)) form.append(name, String(value));
  form.append('file', new Blob([file.content]), file.filename);
  return form;
}

/** Whether the shop refused, as it may. A 404 may not be: what is asked for was acknowledged. */
export function isRefusal(error: unknown, codes: readonly string[]): boolean {
  return error instanceof ApiError && codes.includes(error.code);
}
