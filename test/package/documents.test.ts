import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { permissionsModule } from '../../cli/permission-types.ts';
import { connect } from '../../client/index.ts';
import { taskPermissions } from '../../contract/permissions.ts';
import { allDocuments, type Block, blocksOf, PROJECT } from '../helpers/documents.ts';
import type { RunningProgram } from '../helpers/programs.ts';
import { type Installed, installPackage } from './installed.ts';
import { closePage, followPage, openPage, type Page, typedFolders } from './page.ts';
import { kindOf, linkCompiler, showsError, typeFaults } from './typed-blocks.ts';

/**
 * Every block of the documents, as somebody meets it who has the package: commands are run word for word, files are written, what is shown
 * is compared. left-out.ts names the few that are not run. The pages share a demo; who follows the tutorial has one of their own.
 */

/** What a page takes for granted, before its first block and after its last one. */
const AROUND: Readonly<Record<string, { before?: string; after?: string }>> = {
  'docs/operations.md': { before: 'npx backroom db backup FILE && mkdir FILES && touch secrets.key' },
  'docs/mail.md': {
    after: `curl -X PATCH -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"smtp": null}' "$SERVER_URL/admin/api/settings"`,
  },
  'docs/webhooks.md': {
    after: `curl -X DELETE -H "Authorization: Bearer $TOKEN" "$SERVER_URL/admin/api/webhook-endpoints/1"`,
  },
  'init/AGENTS.md': { before: 'npx backroom init .' },
};
const Declared = z.object({ permissions: z.array(z.string()) });
const TUTORIAL = 'docs/tutorial.md';

type Demo = { program: RunningProgram; server: string; token: string; folder: string };

const documents = allDocuments();
let shop: Installed;
let demo: Demo;

before(async () => {
  shop = installPackage();
  // What an answer refuses is a failure of the command.
  shop.place('curl', '#!/bin/sh\nexec /usr/bin/curl --fail-with-body --silent --show-error "$@"\n');
  const program = shop.start(['npx', 'backroom', 'demo'], { PORT: '0' });
  const words = async (line: RegExp): Promise<string> => line.exec(await program.line(line))?.[1] ?? '';
  demo = {
    program,
    folder: await words(/^A temporary shop .* in (\S+)\.$/),
    server: await words(/^ {2}URL +(\S+)/),
    token: await words(/^ {2}Token +(\S+)/),
  };
});
after(async () => {
  shop.signal(demo.program, 'SIGINT');
  await demo.program.exited;
});

for (const document of documents.filter((one) => one.path !== TUTORIAL && blocksOf(one).length > 0)) {
  test(`${document.path} is as it says`, async () => {
    const env = { SERVER_URL: demo.server, BACKROOM_TOKEN: demo.token, TOKEN: demo.token, DATA_DIR: demo.folder };
    const page = openPage(shop, document, { server: demo.server, env });
    const around = AROUND[document.path];
    if (around?.before !== undefined) shop.run(around.before, { cwd: page.folder, env: page.env });
    if (document.path === 'init/AGENTS.md') linkCompiler(page.folder);
    try {
      await followPage(shop, page);
      checkTypes(page);
    } finally {
      if (around?.after !== undefined) shop.run(around.after, { cwd: page.folder, env: page.env });
      await closePage(shop, page);
    }
  });
}

/** Tasks and tests that the page has written, by the configuration that an editor reads. */
function checkTypes(page: Page): void {
  for (const folder of typedFolders(page)) {
    // As `task push` does, where a page has written the permissions anew.
    for (const file of globSync('*.task.json', { cwd: folder })) {
      const { permissions } = Declared.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
      writeFileSync(join(folder, file.replace('.task.json', '.permissions.ts')), permissionsModule(permissions));
    }
    for (const config of ['tsconfig.tasks.json', 'tsconfig.tests.json']) {
      const options = ['-p', config, '--pretty', 'false', '--typeRoots', join(PROJECT, 'node_modules/@types')];
      const checked = spawnSync(process.execPath, [join(PROJECT, 'node_modules/typescript/bin/tsc'), ...options], {
        cwd: folder,
        encoding: 'utf8',
      });
      // A folder may have no test.
      if (!checked.stdout.includes('TS18003')) assert.equal(checked.stdout, '', `${page.document.path}, ${config}`);
    }
  }
}

const typescript = documents.flatMap(blocksOf).filter(({ language, file }) => language === 'ts' && file === null);

test('TypeScript in the documents has the types that it needs, and the errors that it shows', () => {
  assert.deepEqual(typeFaults(shop, typescript), []);
});

test('programs in the documents run with the client', () => {
  mkdirSync(join(shop.folder, 'programs'));
  for (const [n, block] of typescript.filter((one) => kindOf(one) === 'program').entries()) {
    const file = join(shop.folder, 'programs', `program-${n}.ts`);
    writeFileSync(file, block.text.replaceAll('http://127.0.0.1:8787', demo.server));
    try {
      shop.run(`node '${file}'`, { env: { BACKROOM_TOKEN: demo.token } });
    } catch (error) {
      assert.fail(`${block.document}:${block.line} ${error instanceof Error ? error.message : ''}`);
    }
  }
});

test('tasks in the documents run dry on the demo', async () => {
  const { api, follow } = connect({ url: demo.server, token: demo.token });
  const draft = { permissions: [...taskPermissions], parameters: [] };
  const { task_id } = await api.ai_tasks.create({ name: 'Of a document', description: '', source_code: 'export default 1;', ...draft });
  for (const block of typescript.filter((one: Block) => kindOf(one) === 'task' && !showsError(one))) {
    const { run_id } = await api.ai_tasks.start_run(task_id, { dry_run: true, draft: { ...draft, source_code: block.text } });
    for await (const _ of follow(`/ai-tasks/${task_id}/runs/${run_id}/stream`));
    const { status, log } = await api.ai_tasks.get_run(task_id, run_id);
    assert.equal(status, 'success', `${block.document}:${block.line} ${log}`);
  }
});
