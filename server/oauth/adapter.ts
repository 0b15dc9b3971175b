import { errors } from 'oidc-provider';
import { GRANT, type Payload, type Records } from '../resources/oauth/records.ts';

/** How the authorization server keeps a kind of record. */
export function adapterOf(model: string, records: Records) {
  // A sign-in is for one request; nothing of it is kept.
  if (model === 'Session') return nothing;
  return {
    upsert: (id: string, payload: Payload, seconds?: number) => records.save(model, id, payload, seconds),
    find: (id: string) => records.find(model, id),
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    async consume(id: string) {
      if (await records.use(model, id)) return;
      // Another request was faster, which an earlier look could not tell.
      const grantId = (await records.find(model, id))?.['grantId'];
      if (typeof grantId === 'string') await records.endGrant(grantId);
      throw new errors.InvalidGrant('it was used before');
    },
    destroy: (id: string) => (model === GRANT ? records.endGrant(id) : records.remove(model, id)),
    // Its grant is ended in the same moment, and takes all with it.
    revokeByGrantId: async () => undefined,
  };
}

const nothing = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};
