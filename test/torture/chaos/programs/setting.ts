import type { AdminApi, CallOptions } from '../../../../contract/calls.ts';
import type { Store } from '../../../../server/db/open.ts';

/** `tell`: calls the hook of the programs' task, as another system does, again until it is answered. */
export type Setting = {
  api: AdminApi;
  store: Store;
  taskId: number;
  taxRateId: number;
  tell(body: object, call: string): Promise<void>;
  stopping: AbortSignal;
};

/** A request with this key is the same one when it is sent again. */
export function keyed(key: string): CallOptions {
  return { headers: { 'idempotency-key': `"${key}"` } };
}
