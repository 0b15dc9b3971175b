import { type keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { EndpointId } from '../../contract/index.ts';
import { tagged } from '../api/client.ts';

type Options = { staleTime?: number; gcTime?: number; refetchInterval?: number | false; placeholderData?: typeof keepPreviousData };

/** The query of a call: its key is the operation with what it is asked for. */
export function queryOf<A extends readonly unknown[], T>(operation: EndpointId, call: (...args: A) => Promise<T>, options: Options = {}) {
  return (...args: A) => queryOptions({ queryKey: [operation, ...args], queryFn: () => call(...args), ...options });
}

/** The query of a record, with the ETag for a change of it. */
export function recordOf<A extends readonly unknown[], T extends object>(operation: EndpointId, call: (...args: A) => Promise<T>) {
  return (...args: A) => recordQuery([operation, ...args], () => call(...args));
}

export function recordQuery<T extends object>(key: readonly unknown[], read: () => Promise<T>) {
  // The ETag belongs to the answer as a whole, which therefore stays one object. The record alone is kept under the key without `etag`.
  return queryOptions({ queryKey: [...key, 'etag'], queryFn: () => tagged(read()), structuralSharing: false });
}
