import { type Endpoint, isBelowOrder, readsRecord } from '../../contract/endpoint.ts';
import { endpointList } from '../../contract/index.ts';
import { shapeOf } from '../torture/bad-input/catalogue.ts';

const reads = new Map(endpointList.filter((e) => e.method === 'GET').map((e) => [shapeOf(e.path), e]));

/** The endpoint that reads what a Location or the path of a record names, such as `/orders/5`; undefined where there is none. */
export function readerOf(path: string): Endpoint | undefined {
  return reads.get(path.replaceAll(/\/\d+(?=\/|$)/g, '/{}'));
}

/** The list of what a write below an order changes, such as its shipments: they have no version but the order's. */
export function listBelowOrder(path: string): { reader: Endpoint; path: string } | null {
  const list = path.split('/').slice(0, 4).join('/');
  const reader = readerOf(list);
  return reader?.record === 'order' && !readsRecord(reader) ? { reader, path: list } : null;
}

/** The read of the record whose version a write changes and If-Match is compared with, and that record's path. */
export function recordOf(endpoint: Endpoint, path: string): { reader: Endpoint; path: string } | null {
  if (endpoint.record === undefined) return null;
  const record = isBelowOrder(endpoint) ? 'order' : endpoint.record;
  const segments = path.split('/');
  for (let length = segments.length; length > 1; length -= 1) {
    const prefix = segments.slice(0, length).join('/');
    const reader = readerOf(prefix);
    if (reader?.record === record && readsRecord(reader) && reader.binary !== true) return { reader, path: prefix };
  }
  return null;
}
