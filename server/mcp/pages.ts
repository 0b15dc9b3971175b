import { readdir, readFile } from 'node:fs/promises';
import { Refusal } from '../verbs/problem.ts';

/** The pages of the documentation, which are files of the program: an agent reads how things are done as a person does. */

const FOLDER = new URL('../../docs/', import.meta.url);
const ENDING = '.md';

type Page = { uri: string; name: string; title: string };

let read: Promise<readonly Page[]> | undefined;

/** All pages in the order of their names; they are looked up when somebody first asks for them. */
export async function pages(): Promise<Page[]> {
  read ??= readTitles().catch((error) => {
    read = undefined;
    throw error;
  });
  return [...(await read)];
}

async function readTitles(): Promise<readonly Page[]> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(ENDING)).sort();
  return Promise.all(
    files.map(async (file) => {
      const name = file.slice(0, -ENDING.length);
      const [, title = name] = /^# (.+)$/m.exec(await textOf(name)) ?? [];
      return { uri: `backroom://docs/${name}`, name, title };
    }),
  );
}

/** Reads a page; only one that is listed, whatever path the name would lead to. */
export async function readPage(name: string): Promise<string> {
  const list = await pages();
  if (!list.some((page) => page.name === name))
    throw new Refusal(
      'not_found',
      `There is no page ${JSON.stringify(name.slice(0, 100))}. There are: ${list.map((page) => page.name).join(', ')}.`,
    );
  return textOf(name);
}

function textOf(name: string): Promise<string> {
  return readFile(new URL(`${name}${ENDING}`, FOLDER), 'utf8');
}
