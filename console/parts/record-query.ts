import { queryOptions } from '@tanstack/react-query';
import { tagged } from '../api/client.ts';

/** A record with the ETag for a change of it. */
export function recordQuery<T extends object>(key: readonly unknown[], read: () => Promise<T>) {
  // The ETag belongs to the answer as a whole, which therefore stays one object.
  return queryOptions({ queryKey: key, queryFn: () => tagged(read()), structuralSharing: false });
}
