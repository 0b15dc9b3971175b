import { z } from 'zod';
import { isForAgents } from '../../../contract/agents.ts';
import { type Endpoint, isOwnTaskRight } from '../../../contract/endpoint.ts';
import { endpointList } from '../../../contract/index.ts';
import { isTaskPermission } from '../../../contract/permissions.ts';
import { withoutMarks } from '../../../contract/texts.ts';
import { bounded, bounds } from '../answer.ts';
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
  title: 'Search the API',
  description:
    'Operations by words ("order note") or one by its whole name ("orders.get", with its types), as a script calls them, with the permission that each needs.',
  input: z.object({ query: z.string().min(1).max(200), limit: z.number().min(1).max(MOST).default(10), ...bounds }),
  readOnly: true,
  run: async ({ query, limit, ...limits }) => {
    const exact = operations.find(({ endpoint }) => endpoint.id === query.trim());
    const shown = exact ? [toldInFull(exact)] : found(query).slice(0, limit).map(told);
    return bounded({ operations: shown, found: exact ? 1 : found(query).length }, limits);
  },
});

/** Those that have most of the words, the ones that have them in their name first. */
function found(query: string): Operation[] {
  const words = withoutMarks(query)
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/(ies|s)$/, ''));
  const score = ({ endpoint, words: text }: Operation) =>
    words.reduce((sum, word) => sum + (text.includes(word) ? 1 : 0) + (endpoint.id.includes(word) ? 1 : 0), 0);
  return operations
    .map((one) => ({ one, points: score(one) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points || a.one.endpoint.id.length - b.one.endpoint.id.length)
    .map(({ one }) => one);
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
