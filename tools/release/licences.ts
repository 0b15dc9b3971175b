import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, type Shipped } from './shipped.ts';

/** Under these licences others may get what is shipped, if their texts come with it. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
  'Bitstream-Vera',
]);

/** Packages whose manifest tells their licence in other words than SPDX has, or not; read in the package, of this version and later ones. */
const READ_BY_US: Readonly<Record<string, string>> = { 'png-js': 'MIT' };

export const licenceOf = ({ name, license }: Pick<Shipped, 'name' | 'license'>): string => READ_BY_US[name] ?? license;

/** The packages whose licence is not among those that are allowed, as `name@version: licence`. */
export function forbidden(packages: readonly Shipped[]): string[] {
  return packages.filter((one) => !isAllowed(licenceOf(one))).map((one) => `${one.name}@${one.version}: ${licenceOf(one)}`);
}

/** An SPDX expression of OR and AND without exceptions, in brackets or not. */
function isAllowed(expression: string): boolean {
  const parts = (text: string, word: string): string[] =>
    text
      .replaceAll(/[()]/g, '')
      .split(word)
      .map((part) => part.trim());
  return parts(expression, ' OR ').some((choice) => parts(choice, ' AND ').every((one) => ALLOWED.has(one)));
}

type Holder = { one: Shipped; copyright: string[] };
type Text = { body: string; of: Holder[] };

/** The licences of all that is in our files, each text once; then what npm installs beside, whose texts are in the packages' own folders. */
export function licencesText(packages: readonly Shipped[]): string {
  const bad = forbidden(packages);
  if (bad.length > 0)
    throw new Error(`these packages are shipped under licences that are not allowed (tools/release/licences.ts): ${bad.join(', ')}`);
  const texts = textsOf(packages.filter(({ bundled }) => bundled));
  const sections = texts.map(({ body, of }) => {
    const names = of.map(({ one, copyright }) =>
      [`- ${one.name} ${one.version} (${licenceOf(one)})`, ...copyright.map((line) => `    ${line}`)].join('\n'),
    );
    return `${names.join('\n')}\n\n${body}\n`;
  });
  const beside = packages.filter(({ bundled }) => !bundled).map((one) => `- ${one.name} ${one.version} (${licenceOf(one)})`);
  return [
    'Backroom has code and fonts of others in its files. These are they, with their licences.\n',
    ...sections,
    `Beside Backroom npm installs these, some of them on some machines only. Each has its licence in its own folder.\n\n${[...new Set(beside)].join('\n')}\n`,
  ].join(`\n${'-'.repeat(80)}\n\n`);
}

const FILES = /^(licen[cs]e|copying|notice|ofl|third-?party-?notice\w*)([._-].*)?$/i;
/** Of several works each, with holders that must stay beside their texts. */
const AS_THEY_ARE = /^(notice|third)/i;
/** A name of the licence above its text, which some have and some have not. */
const TITLE = /^\W*(the )?(mit|isc) license(\W+\(?mit\)?)?\W*$/i;
const COPYRIGHT = /^\W*(copyright\b.*(\d{4}|\(c\)|©)|(\(c\)|©)\s*\d{4})/i;

/** Groups the packages by the text of their licence, which differs in the lines of copyright alone. */
function textsOf(packages: readonly Shipped[]): Text[] {
  const groups = new Map<string, Text>();
  const without: Shipped[] = [];
  for (const one of packages) {
    const { body, copyright } = ownText(one.folder);
    if (body === '') {
      without.push(one);
      continue;
    }
    const key = body.toLowerCase().replaceAll(/[^a-z]+/g, ' ');
    const group = groups.get(key) ?? { body, of: [] };
    group.of.push({ one, copyright });
    groups.set(key, group);
  }
  for (const one of without) mostUsed([...groups.values()], one).of.push(holderOf(one));
  return [...groups.values()];
}

/** The texts of a package's licences; of those of its own, the lines of copyright apart. */
function ownText(folder: string): { body: string; copyright: string[] } {
  const copyright: string[] = [];
  const bodies = readdirSync(join(ROOT, folder))
    .filter((name) => FILES.test(name) && !/\.(js|ts|json)$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(ROOT, folder, name), 'utf8').replaceAll(/[ \t\r]+$/gm, '');
      if (AS_THEY_ARE.test(name)) return text.trim();
      const lines = text.split('\n').filter((line) => !TITLE.test(line));
      copyright.push(...lines.filter((line) => COPYRIGHT.test(line)).map((line) => line.trim()));
      return lines
        .filter((line) => !COPYRIGHT.test(line))
        .join('\n')
        .trim();
    });
  return {
    body: bodies
      .join('\n\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
    copyright,
  };
}

/** A package that has no text of its own gets that of most others under its licence, with its author. */
function mostUsed(texts: readonly Text[], one: Shipped): Text {
  const [most] = texts
    .filter(({ of }) => of.some((other) => licenceOf(other.one) === licenceOf(one)))
    .sort((a, b) => b.of.length - a.of.length);
  if (most) return most;
  throw new Error(`${one.name}@${one.version} has no file with its licence (${licenceOf(one)}), and no other package has the text`);
}

const holderOf = (one: Shipped): Holder => ({ one, copyright: [`Copyright (c) ${one.author || `the authors of ${one.name}`}`] });
