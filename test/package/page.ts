import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse } from 'yaml';
import { type Block, blocksOf, type Document, PROJECT } from '../helpers/documents.ts';
import { until } from '../helpers/machines.ts';
import type { RunningProgram } from '../helpers/programs.ts';
import { commandsOf, type ShellCommand } from '../helpers/shell-commands.ts';
import type { Installed } from './installed.ts';
import { ALONE, DEAR, OUTSIDE } from './left-out.ts';
import { isShown, withoutColours } from './text-shown.ts';

/** The address that the documents name. */
const WRITTEN = 'http://127.0.0.1:8787';
/** Starts a shop and does not end by itself. */
const STAYS = /^(?:\w+=\S+ )*npx backroom(?: demo| start)?(?: --open)?$/;
const READY = /^(?:Open|Backroom is at) (http:\/\/[^/\s]+)/;

/** A folder in which the blocks of one page are carried out in their order, and what they have left there. */
export type Page = {
  document: Document;
  folder: string;
  /** Where the commands are, after `cd`, and the variables that they have exported. */
  cwd: string;
  env: Record<string, string>;
  /** What the last command printed, with the address of the documents in place of that of the shop. */
  printed: () => string;
  /** The shop of the page: `PORT` is its choice, not that of the documents. */
  server: string;
  /** What is typed where a command asks. */
  typed: string;
  started: RunningProgram[];
};

export function openPage(
  shop: Installed,
  document: Document,
  { server = '', env = {}, typed = '' }: Partial<Pick<Page, 'server' | 'env' | 'typed'>>,
): Page {
  const name = document.path.replaceAll(/[^\w]+/g, '-');
  const [folder, config] = [join(shop.folder, 'pages', name), join(shop.folder, 'config', name)];
  mkdirSync(folder, { recursive: true });
  return {
    document,
    folder,
    cwd: folder,
    env: { XDG_CONFIG_HOME: config, ...env },
    printed: () => '',
    server,
    typed,
    started: [],
  };
}

/** Ends what the page has started. */
export async function closePage(shop: Installed, { started }: Page): Promise<void> {
  for (const program of started.toReversed()) {
    shop.signal(program, 'SIGINT');
    await program.exited;
  }
}

/** Carries out one block; throws where it fails, or does not do what the page says. */
export async function carryOut(shop: Installed, page: Page, block: Block): Promise<void> {
  const { language, file, text } = block;
  if (file !== null) return writeAt(join(page.cwd, file), text);
  if (language === 'sh') return runBlock(shop, page, block);
  if (language === 'text') return compare(page, block);
  if (language === 'json') return void JSON.parse(text);
  if (language === 'yaml') return void parse(text);
  // Of all pages at once: typed-blocks.ts.
  if (language === 'ts') return;
  if (language === '' && !/^\s*(?:\$ |npm |npx |curl |backroom |import |const )/m.test(text)) return;
  throw fault(
    block,
    language === '' ? 'it looks like code, and does not say of which language' : `blocks of "${language}" are of no known kind`,
  );
}

function fault({ document, line, text }: Pick<Block, 'document' | 'line' | 'text'>, what: string): Error {
  return new Error(`${document}:${line}\n${text}\n\n${what}`);
}

function writeAt(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${text}\n`);
}

async function runBlock(shop: Installed, page: Page, block: Block): Promise<void> {
  const commands = commandsOf(block.text);
  const reasons = commands.map((command) => reasonOf(command, page));
  if (reasons.some((reason) => reason !== null)) return check(shop, block, commands, reasons);
  const lines = block.text.trimEnd().split('\n');
  const last = (lines.at(-1) ?? '').replace(/\s+#.*$/, '');
  if (!STAYS.test(last)) return run(shop, page, block, block.text);
  if (lines.length > 1) run(shop, page, block, lines.slice(0, -1).join('\n'));
  await start(shop, page, block, last);
}

/** Why a command is not run; null where it is. A folder's own scripts of npm are run in it. */
function reasonOf({ words }: ShellCommand, page: Page): string | null {
  const [program = '', ...args] = words;
  const told =
    OUTSIDE[program] ??
    Object.entries(ALONE).find(([begins]) => words.join(' ').startsWith(begins) && page.document.path === 'docs/commands.md')?.[1];
  if (told !== undefined) return told;
  if (program !== 'npm' || isProject(page)) return null;
  return DEAR[(args[0] === 'run' ? args[1] : args[0]) ?? ''] ?? null;
}

const isProject = ({ cwd }: Page): boolean => globSync('package.json', { cwd }).length > 0;

/** A block that is left out: a shell reads it, its other commands are such that need not be run alone, and its files are there. */
function check(shop: Installed, block: Block, commands: readonly ShellCommand[], reasons: readonly (string | null)[]): void {
  shop.run('sh -n', { input: block.text });
  const open = commands.filter((_, n) => reasons[n] === null).map(({ words }) => words.join(' '));
  const unexplained = open.filter(
    (line) => !/^(?:cd|cp|mkdir|chmod|curl|openssl|export|node cli\/backroom\.js|npx backroom db|npx backroom start) ?/.test(line),
  );
  if (unexplained.length > 0) throw fault(block, `"${unexplained[0]}" stands beside what is not run: give it a block of its own`);
  const files = commands.flatMap(({ words }) => words.filter((word) => /^(?:deploy|docs|test|tools|cli|ops)\/[\w./*-]+$/.test(word)));
  const missing = files.filter((path) => globSync(path, { cwd: PROJECT }).length === 0 && !/^deploy\/\.env$/.test(path));
  if (missing.length > 0) throw fault(block, `there is no ${missing.join(', ')}`);
}

const replaced = (text: string, server: string): string => (server === '' ? text : text.replaceAll(WRITTEN, server));

function run(shop: Installed, page: Page, block: Block, script: string): void {
  const state = join(shop.folder, 'state');
  writeFileSync(`${state}.sh`, `set -e\nexec 2>&1\n${replaced(script, page.server)}\npwd > '${state}.cwd'\nenv -0 > '${state}.env'\n`);
  try {
    const fetches = /\bnpm (?:install|ci|i)\b/.test(script);
    const text = shop.run(`sh '${state}.sh'`, { cwd: page.cwd, env: page.env, input: page.typed, fetches });
    page.printed = () => text;
  } catch (error) {
    throw fault(block, withoutColours(error instanceof Error ? error.message : String(error)));
  }
  page.cwd = readFileSync(`${state}.cwd`, 'utf8').trim();
  const variables = readFileSync(`${state}.env`, 'utf8')
    .split('\0')
    .filter((one) => one.includes('='));
  const before = new Set(['PATH', 'HOME', 'PWD', 'OLDPWD', 'SHLVL', '_']);
  for (const one of variables) {
    const name = one.slice(0, one.indexOf('='));
    if (!before.has(name) && !name.startsWith('npm_')) page.env[name] = one.slice(name.length + 1);
  }
}

/** The shop that the line starts is that of the page from now on. */
async function start(shop: Installed, page: Page, block: Block, line: string): Promise<void> {
  const { DATA_DIR: _ofDemo, ...env } = page.env;
  const program = shop.start(['sh', '-c', line], { ...env, PORT: '0' }, page.cwd);
  page.started.push(program);
  const ended = (error: unknown): never => {
    throw fault(block, String(error));
  };
  const [, address = ''] = READY.exec(await program.line(READY).catch(ended)) ?? [];
  page.server = address;
  page.printed = program.output;
}

/** What goes on may print its last lines a moment later. */
async function compare(page: Page, block: Block): Promise<void> {
  const printed = (): string => (page.server === '' ? page.printed() : page.printed().replaceAll(page.server, WRITTEN));
  if (page.started.some(({ output }) => output === page.printed))
    await until('it is printed', () => isShown(block.text, printed()), 60_000).catch(() => undefined);
  if (!isShown(block.text, printed())) throw fault(block, `came:\n${printed()}`);
}

/** All of a page; throws at the first block that fails. */
export async function followPage(shop: Installed, page: Page): Promise<void> {
  for (const block of blocksOf(page.document)) await carryOut(shop, page, block);
}

/** The folders of the page in which tasks have been written for an editor. */
export const typedFolders = ({ folder }: Page): readonly string[] =>
  globSync('**/tsconfig.tasks.json', { cwd: folder, exclude: ['**/node_modules/**'] }).map((path) =>
    relative('', join(folder, dirname(path))),
  );
