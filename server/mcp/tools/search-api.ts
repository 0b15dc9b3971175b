import { z } from 'zod';
import { isForAgents } from '../../../contract/agents.ts';
import { type Endpoint, isOwnTaskRight } from '../../../contract/endpoint.ts';
import { endpointList } from '../../../contract/index.ts';
import { isTaskPermission } from '../../../contract/permissions.ts';
import { withoutMarks } from '../../../contract/texts.ts';
import { bounds } from '../answer.ts';
import type { Caller } from '../caller.ts';
import { bodyText, queryText, responseText } from '../schema-text.ts';
import { toolOf } from '../tool.ts';

const MOST = 30;

type Operation = { endpoint: Endpoint; words: string; inScripts: boolean; callable: boolean };

const operations: readonly Operation[] = endpointList.flatMap((endpoint) => {
  const permission = endpoint.taskPermission === undefined ? endpoint.permission : endpoint.taskPermission;
  const inScripts = !endpoint.ownRun && permission !== null && (isTaskPermission(permission) || isOwnTaskRight(permission));
  const callable = endpoint.method === 'GET' && isForAgents(endpoint);
  const words = withoutMarks(`${endpoint.id.replaceAll(/[._]/g, ' ')} ${endpoint.path} ${endpoint.summary}`).toLowerCase();
  return inScripts || callable ? [{ endpoint, words, inScripts, callable }] : [];
});

export const searchTool = toolOf({
  name: 'search_api',
  description:
    'Operations by words ("order note") or one by its whole name ("orders.get", with its types), as a script calls them, with the permission that each needs.',
  input: z.object({ query: z.string().min(1).max(200), limit: z.number().min(1).max(MOST).default(10), ...bounds }),
  readOnly: true,
  run: async ({ query, limit }, caller) => {
    const exact = operations.find(({ endpoint }) => endpoint.id === query.trim());
    const examples =
      caller.permissions.has('admin_api.ai_tasks.read') || caller.permissions.has('admin_api.ai_tasks.write')
        ? await examplesFor(query, caller)
        : [];
    if (exact) return { operations: [toldInFull(exact)], found: 1, examples };
    const fitting = found(query);
    return { operations: fitting.slice(0, limit).map(told), found: fitting.length, examples };
  },
});

const Examples = z.array(z.object({ name: z.string(), title: z.string(), description: z.string() }));
const EXAMPLES = 3;

/** The examples that have most of the words. */
async function examplesFor(query: string, caller: Caller) {
  const words = wordsOf(query);
  const list = Examples.parse(await caller.request('GET', '/task-examples')).map((one) => {
    const text = withoutMarks(`${one.name} ${one.title} ${one.description}`).toLowerCase();
    return { points: words.filter((word) => text.includes(word)).length, told: { ...one, resource: `backroom://examples/${one.name}` } };
  });
  const fitting = list.filter(({ points }) => points > 0).sort((a, b) => b.points - a.points);
  return fitting.slice(0, EXAMPLES).map(({ told: shown }) => shown);
}

/** Those that have most of the words, the ones that have them in their name first. */
function found(query: string): Operation[] {
  const words = wordsOf(query);
  const score = ({ endpoint, words: text }: Operation) =>
    words.reduce((sum, word) => sum + (text.includes(word) ? 1 : 0) + (endpoint.id.includes(word) ? 1 : 0), 0);
  return operations
    .map((one) => ({ one, points: score(one) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points || a.one.endpoint.id.length - b.one.endpoint.id.length)
    .map(({ one }) => one);
}

/** The words of a query, in lower case and without the ending of a plural. */
function wordsOf(query: string): string[] {
  return withoutMarks(query)
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/(ies|s)$/, ''));
}

function told({ endpoint, inScripts, callable }: Operation) {
  const { id, summary, permission, taskPermission = permission } = endpoint;
  return {
    operation: id,
    summary,
    permission: taskPermission ?? 'none',
    ...(inScripts && { script: scriptCall(endpoint) }),
    call: callable,
  };
}

function toldInFull(operation: Operation) {
  const { endpoint } = operation;
  return { ...told(operation), query: queryText(endpoint), body: bodyText(endpoint), answer: responseText(endpoint) };
}

/** The call as a script writes it: path parameters, then the body, then the query. */
function scriptCall({ id, path, body, multipart, query }: Endpoint): string {
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const rest = [...(body || multipart ? ['body'] : []), ...(query ? ['query'] : [])];
  return `await admin.${id}(${[...params, ...rest].join(', ')})`;
}
