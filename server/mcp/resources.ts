import { readFile } from 'node:fs/promises';
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { isTaskPermission } from '../../contract/permissions.ts';
import { WholeRun } from '../../contract/runs.ts';
import { markedText } from './answer.ts';
import type { Caller } from './caller.ts';
import { pages, readPage } from './pages.ts';
import { answeredTo } from './tool-call.ts';
import { shortRun } from './tools/runs.ts';

/** What an agent may read as a whole: documents of the program, and examples. Of it, runs alone hold what was written in the shop, between marks (spec MC6). */

const SCRIPT_API = new URL('../../sandbox-lib/index.ts', import.meta.url);
const Examples = z.array(z.object({ name: z.string(), title: z.string(), description: z.string() }));

const RUN_BYTES = 65_536;

export function addResources(server: McpServer, caller: Caller): void {
  server.registerResource(
    'script-api',
    'backroom://script-api',
    { title: 'All that a script may use, as TypeScript', mimeType: 'text/typescript' },
    async ({ href }) => textOf(href, 'text/typescript', await readFile(SCRIPT_API, 'utf8')),
  );
  server.registerResource(
    'permissions',
    'backroom://permissions',
    { title: 'The permissions that scripts of this agent may declare', mimeType: 'application/json' },
    ({ href }) => textOf(href, 'application/json', JSON.stringify([...caller.permissions].filter(isTaskPermission).sort(), null, 1)),
  );
  server.registerResource(
    'run',
    new ResourceTemplate('backroom://runs/{task_id}/{id}', { list: undefined }),
    { title: 'A run: why it ended, its result and the end of its log', mimeType: 'text/plain' },
    async ({ href }, { task_id, id }) => {
      const path = `/ai-tasks/${encodeURIComponent(String(task_id))}/runs/${encodeURIComponent(String(id))}`;
      const run = shortRun(WholeRun.parse(await caller.request('GET', path)));
      return textOf(href, 'text/plain', markedText(answeredTo(caller, run, { max_bytes: RUN_BYTES })));
    },
  );
  server.registerResource(
    'page',
    new ResourceTemplate('backroom://docs/{name}', { list: async () => ({ resources: await pages() }) }),
    { title: 'Pages of the documentation', mimeType: 'text/markdown' },
    async ({ href }, { name }) => textOf(href, 'text/markdown', await readPage(String(name))),
  );
  server.registerResource(
    'example',
    new ResourceTemplate('backroom://examples/{name}', { list: async () => ({ resources: await examples(caller) }) }),
    { title: 'Tasks to start from', mimeType: 'application/json' },
    async ({ href }, { name }) =>
      textOf(
        href,
        'application/json',
        JSON.stringify(await caller.request('GET', `/task-examples/${encodeURIComponent(String(name))}`), null, 1),
      ),
  );
}

async function examples(caller: Caller) {
  const list = Examples.parse(await caller.request('GET', '/task-examples'));
  return list.map(({ name, title, description }) => ({ uri: `backroom://examples/${name}`, name, title, description }));
}

function textOf(uri: string, mimeType: string, text: string) {
  return { contents: [{ uri, mimeType, text }] };
}
