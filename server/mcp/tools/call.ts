import { z } from 'zod';
import { isForAgents } from '../../../contract/agents.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { endpointList } from '../../../contract/index.ts';
import { Refusal, refuseValue } from '../../verbs/problem.ts';
import { bounds } from '../answer.ts';
import { toolOf } from '../tool.ts';

/** Texts, numbers and switches; the API checks them. */
const Values = z.looseObject({});

export const callTool = toolOf({
  name: 'call',
  description:
    'One read of the API by its operation, as search_api names it: {"operation": "orders.list", "params": {"status": "pending"}}.',
  input: z.object({
    operation: z.string(),
    params: Values.default({}).describe('Of path and query'),
    ...bounds,
  }),
  readOnly: true,
  run: async ({ operation, params }, caller) => {
    const endpoint = endpointList.find(({ id }) => id === operation);
    if (!endpoint) throw new Refusal('route_not_found', `There is no operation ${operation.slice(0, 100)}.`);
    if (endpoint.method !== 'GET' || !isForAgents(endpoint))
      throw new Refusal(
        'forbidden',
        `${operation} is no read that agents may make. What changes the shop goes into a script: dry_run, then submit.`,
      );
    return await caller.request('GET', pathOf(endpoint, params));
  },
});

function pathOf({ path }: Endpoint, params: z.output<typeof Values>): string {
  const rest = new Map(Object.entries(params));
  for (const [name, value] of rest)
    if (typeof value === 'object') throw refuseValue('invalid_type', `/params/${name}`, 'must be a text, a number or true or false');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    if (value === undefined || value === '') throw refuseValue('required', `/params/${name}`, 'is missing: it is a part of the path');
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams([...rest].map(([name, value]) => [name, String(value)]));
  return query.size === 0 ? filled : `${filled}?${query}`;
}
