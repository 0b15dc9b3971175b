import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { helpOf } from '../../cli/command.ts';
import { commands } from '../../cli/command-list.ts';
import { projectFiles } from '../../cli/project-files.ts';
import { PROJECT } from '../helpers/documents.ts';
import { commandsOf, type ShellCommand } from '../helpers/shell-commands.ts';

/** What of a documented command line is not there: the script of npm, the command of the program, its option, a file. */

const Manifest = z.object({ scripts: z.record(z.string(), z.string()) });
const scriptsOf = (text: string): Record<string, string> => Manifest.parse(JSON.parse(text)).scripts;
const own = scriptsOf(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
const ofProjects = scriptsOf(projectFiles({ name: 'a', version: '1.0.0' })['package.json'] ?? '');

/** npm's own commands that the documents use. */
const NPM = new Set(['ci', 'install', 'pack', 'init', 'link', 'run', 'publish', 'version', 'view', 'exec', 'uninstall', 'audit', 'sbom']);

export function faultsOf(script: string): readonly string[] {
  return commandsOf(script).flatMap((command) => faultsOfOne(command));
}

function faultsOfOne({ words }: ShellCommand): readonly string[] {
  const [program = '', ...args] = words;
  if (program === 'npm') return npmFaults(args);
  if (program === 'npx' && args[0] === 'backroom') return backroomFaults(args.slice(1));
  if (program === 'backroom') return backroomFaults(args);
  if (program === 'node' && args[0]?.endsWith('cli/backroom.js') === true) return backroomFaults(args.slice(1));
  return [];
}

/** A word that stands for what the reader puts there, such as NAME or `…`. */
const isPlaceholder = (word: string): boolean => /^[A-Z][A-Z_]*$|…|^\.\.\.$/.test(word);

function npmFaults(args: readonly string[]): readonly string[] {
  const [verb = '', ...rest] = args.filter((word) => word !== '--silent');
  const script = verb === 'run' ? rest[0] : verb;
  if (script === undefined || isPlaceholder(script)) return [];
  const isScript = Object.hasOwn(own, script) || Object.hasOwn(ofProjects, script);
  if (!isScript) return verb !== 'run' && NPM.has(verb) ? [] : [`npm has no script "${script}"`];
  const end = rest.indexOf('--');
  const given = end < 0 ? [] : rest.slice(end + 1);
  const text = Object.hasOwn(own, script) ? sourcesOf(own[script] ?? '') : '';
  return given.flatMap((word) => {
    const [, name = ''] = /^--([\w-]+)/.exec(word) ?? [];
    if (name !== '')
      return new RegExp(`--${name}\\b|['"]?\\b${name}['"]?: \\{`).test(text) ? [] : [`npm run ${script} has no option --${name}`];
    const isPath = /\//.test(word) && !word.includes('://') && !isPlaceholder(word);
    return isPath && globSync(word, { cwd: PROJECT }).length === 0 ? [`there is no file ${word}`] : [];
  });
}

/** The text of the files that a script of npm starts, with what they import from their own part of the project. */
function sourcesOf(script: string): string {
  const starts = script
    .split(' ')
    .flatMap((word) => [word, `${word}.ts`].filter((path) => /\.(ts|js)$/.test(path) && existsSync(join(PROJECT, path))));
  const seen = new Set(starts.map((path) => resolve(PROJECT, path)));
  for (const file of seen) {
    const part = relative(PROJECT, file).split('/')[0];
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
      const imported = resolve(dirname(file), path);
      if (relative(PROJECT, imported).split('/')[0] === part && existsSync(imported)) seen.add(imported);
    }
  }
  return [...seen].map((file) => readFileSync(file, 'utf8')).join('\n');
}

const names = commands.map(({ name }) => name);

function backroomFaults(args: readonly string[]): readonly string[] {
  const words = args.slice(0, args.findIndex((word) => word.startsWith('-')) >>> 0);
  const [first] = words;
  if (first === undefined || isPlaceholder(first)) return [];
  const said = words.join(' ');
  const command = commands.findLast(({ name }) => said === name || said.startsWith(`${name} `));
  if (!command) return names.some((name) => name.startsWith(`${said} `)) ? [] : [`backroom has no command "${said}"`];
  const help = `${helpOf(command)} --help`;
  return args.flatMap((word) => {
    const [, option = ''] = /^(--[\w-]+)/.exec(word) ?? [];
    return option === '' || new RegExp(`${option}(?![\\w-])`).test(help) ? [] : [`backroom ${command.name} has no option ${option}`];
  });
}
