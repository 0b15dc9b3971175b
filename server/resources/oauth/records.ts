import type { Services } from '../../services.ts';
import type { Retention } from '../../verbs/retention.ts';
import { revokeGranted } from '../tokens/agents.ts';
import { hashToken, oauthKeyHash, sameHash } from '../tokens/secret.ts';
import * as store from './store.ts';

/** The records of the authorization server. Of what a client presents, only the hash is stored. */

export const oauthRetention: Retention = { days: () => 0, deleteBatch: store.deleteExpired };

export type Payload = Record<string, unknown>;

export const CLIENT = 'Client';
export const GRANT = 'Grant';
export const REQUEST = 'Interaction';

/** A client that registers itself is forgotten after a day, unless an admin allows it something. */
const REGISTERED_MS = 86_400_000;
/** Anybody may register a client, so there is a limit to what is kept. */
const CLIENTS_MAX = 1000;
const REQUESTS_MAX = 2000;

export type Records = {
  save(model: string, key: string, payload: Payload, seconds: number | undefined): Promise<void>;
  find(model: string, key: string): Promise<Payload | undefined>;
  /** Uses a code or token up; false: it was used before. */
  use(model: string, key: string): Promise<boolean>;
  remove(model: string, key: string): Promise<void>;
  /** Ends a grant: its agent is revoked, and all that came of it is gone. */
  endGrant(grantId: string): Promise<void>;
  isFull(): Promise<boolean>;
  areRequestsFull(): Promise<boolean>;
  /** Notes which client asks, as the admin is shown it. */
  describe(request: string, client: { name: string; host: string | null }): Promise<void>;
  /** Whether the code is the one that the request's answer was given under. */
  isAnswer(request: string, code: string): Promise<boolean>;
};

export function oauthRecords(services: Services): Records {
  const { store: data } = services;
  return {
    save: (model, key, { jti: _, ...payload }, seconds) =>
      data.write((db) =>
        store.upsertRecord(db, {
          model,
          key_hash: oauthKeyHash(model, key),
          grant_id: typeof payload['grantId'] === 'string' ? payload['grantId'] : null,
          agent_id: agentIdOf(payload['accountId']),
          payload: JSON.stringify(payload),
          consumed_at: null,
          expires_at: new Date(Date.now() + (seconds === undefined ? REGISTERED_MS : seconds * 1000)).toISOString(),
        }),
      ),
    async find(model, key) {
      const row = await store.selectRecord(data.reader, oauthKeyHash(model, key));
      if (!row) return undefined;
      const consumed = row.consumed_at !== null && model !== REQUEST && { consumed: Math.floor(Date.parse(row.consumed_at) / 1000) };
      return { ...parsePayload(row.payload), ...(model !== CLIENT && { jti: key }), ...consumed };
    },
    use: async (model, key) =>
      (await data.write((db) => store.consumeRecord(db, oauthKeyHash(model, key), new Date().toISOString()))) !== undefined,
    remove: (model, key) => data.write((db) => store.deleteRecord(db, oauthKeyHash(model, key))),
    endGrant: (grantId) =>
      services.transact('me.revoke_agent', async (ctx) => {
        const agentId = await store.deleteGrant(ctx.db, grantId);
        if (agentId !== null) await revokeGranted(ctx, agentId);
      }),
    describe: (request, client) =>
      data.write(async (db) => {
        const row = await store.selectRecord(db, oauthKeyHash(REQUEST, request));
        if (row) await store.updatePayload(db, row.id, JSON.stringify({ ...parsePayload(row.payload), client }));
      }),
    async isAnswer(request, code) {
      const row = await store.selectRecord(data.reader, oauthKeyHash(REQUEST, request));
      const given = row && parsePayload(row.payload)['answer'];
      return typeof given === 'string' && sameHash(given, hashToken(code));
    },
    isFull: async () => (await store.countValid(data.reader, CLIENT, new Date().toISOString())) >= CLIENTS_MAX,
    areRequestsFull: async () => (await store.countValid(data.reader, REQUEST, new Date().toISOString())) >= REQUESTS_MAX,
  };
}

export function parsePayload(json: string): Payload {
  const payload: unknown = JSON.parse(json);
  return typeof payload === 'object' && payload !== null ? { ...payload } : {};
}

/** The account for which a client acts is the agent that was made of it. */
function agentIdOf(account: unknown): number | null {
  return typeof account === 'string' && /^\d{1,15}$/.test(account) ? Number(account) : null;
}
