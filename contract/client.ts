import { type AdminApi, createCalls, type Operation, type Send } from './calls.ts';
import { hasBody } from './endpoint.ts';
import { endpointList } from './index.ts';

/** The typed client, with the table of operations made from the contract. */
export function createClient(send: Send): AdminApi {
  return createCalls(send, operationTable());
}

/** Lists all operations that respond with JSON, in the order of the contract. */
export function operationTable(): Operation[] {
  return endpointList
    .filter((e) => !e.stream && !e.binary)
    .map((e) => ({
      id: e.id,
      method: e.method,
      path: e.path,
      paramNames: paramNames(e.path),
      hasBody: hasBody(e),
      hasQuery: e.query !== undefined,
    }));
}

function paramNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}
