import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { permissionsModule } from '../../cli/permission-types.ts';
import { scriptNames } from '../../contract/script-library.ts';
import { type Block, PROJECT } from '../helpers/documents.ts';
import type { Installed } from './installed.ts';

/** The blocks of TypeScript without a file of their own, as somebody with the package has them checked. */

export type Kind = 'program' | 'test' | 'task' | 'fragment';

/** What fragments of tasks take for granted. */
const GIVEN = `import type { admin } from 'backroom';
type Row<Call extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<Call>>;
declare global {
  const order: Row<typeof admin.orders.get>;
  const customer: Row<typeof admin.customers.get>;
  const product: Row<typeof admin.products.get>;
  const variant: Row<typeof admin.products.create_variant>;
  const inquiry: { id: number; message: string };
  const csv: string;
  const now: string;
  const listThem: () => Promise<number[]>;
}
`;

export function kindOf({ text }: Block): Kind {
  if (/from 'backroom\/client'/.test(text)) return 'program';
  if (/from 'backroom\/testing'/.test(text)) return 'test';
  return /^(?:import|export) /m.test(text) ? 'task' : 'fragment';
}

/** Where a document shows what the compiler says, it does so in a comment below the line. */
export const showsError = ({ text }: Block): boolean => text.includes("//   Type 'PermissionNotDeclared");

const OWN_NAMES = /from '\.\/([\w-]+)\.permissions\.ts'; \/\/ of "permissions": (\[[^\]]*\])/;

/** Returns what the compiler finds wrong, by the places in the documents. */
export function typeFaults(shop: Installed, blocks: readonly Block[]): readonly string[] {
  const folder = join(shop.folder, 'typed');
  shop.run('npx backroom task new first --dir typed');
  linkCompiler(shop.folder);
  const faults: string[] = [];
  for (const [name, config, kinds] of [
    ['tasks', 'tsconfig.tasks.json', ['task', 'fragment']],
    ['programs', 'tsconfig.tests.json', ['program', 'test']],
  ] as const) {
    const here = join(folder, name);
    mkdirSync(here);
    const compilerOptions = { noUnusedLocals: false, noUnusedParameters: false };
    writeFileSync(join(here, 'tsconfig.json'), JSON.stringify({ extends: `../${config}`, compilerOptions, include: ['.'], exclude: [] }));
    if (name === 'tasks') writeFileSync(join(here, 'given.d.ts'), GIVEN);
    const chosen = blocks.filter((block) => kinds.some((kind) => kind === kindOf(block)));
    for (const [n, block] of chosen.entries()) writeBlock(here, n, block);
    faults.push(...compare(chosen, compile(here)));
  }
  return faults;
}

/** The compiler of the project, which a project of tasks has in its own folder. */
export function linkCompiler(folder: string): void {
  for (const name of ['@types', '.bin']) mkdirSync(join(folder, 'node_modules', name), { recursive: true });
  for (const name of ['@types/node', 'typescript', '.bin/tsc'])
    symlinkSync(join(PROJECT, 'node_modules', name), join(folder, 'node_modules', name));
}

function writeBlock(folder: string, n: number, block: Block): void {
  const isFragment = kindOf(block) === 'fragment';
  const before = `import { ${scriptNames.join(', ')} } from 'backroom'; export default async function () {`;
  writeFileSync(join(folder, `b${n}.ts`), isFragment ? `${before}\n${block.text}\n}\n` : `\n${block.text}\n`);
  const [, name = '', permissions = ''] = OWN_NAMES.exec(block.text) ?? [];
  if (name !== '') writeFileSync(join(folder, `${name}.permissions.ts`), permissionsModule(JSON.parse(permissions)));
}

type Found = { n: number; line: number; message: string };

function compile(folder: string): readonly Found[] {
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(PROJECT, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  const found = [...stdout.matchAll(/^b(\d+)\.ts\((\d+),\d+\): error TS\d+: (.*(?:\n {2}.*)*)/gm)].map(
    ([, n, line, message = '']): Found => ({ n: Number(n), line: Number(line), message }),
  );
  if (status !== 0 && found.length === 0) throw new Error(`the compiler says:\n${stdout}`);
  return found;
}

/** Each error must be one that the document shows, and each that it shows must come. */
function compare(blocks: readonly Block[], found: readonly Found[]): readonly string[] {
  const open = found.filter(({ n, line, message }) => {
    const below = (blocks[n]?.text ?? '')
      .split('\n')
      .slice(line - 1)
      .map((one) => one.trim());
    return !message.split('\n').every((one) => below.includes(`// ${one}`));
  });
  const silent = blocks.filter((block, n) => showsError(block) && !found.some((one) => one.n === n));
  return [
    ...open.map(({ n, line, message }) => `${blocks[n]?.document}:${(blocks[n]?.line ?? 0) + line - 2} ${message}`),
    ...silent.map(({ document, line }) => `${document}:${line} shows an error that the compiler does not have`),
  ];
}
