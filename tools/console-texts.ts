import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Expression, type ObjectExpression, type Program, parse } from 'acorn';

/** What the console says, read from its files of texts: each text has a path in its file, such as `views.save`. */

export const TEXTS = fileURLToPath(new URL('../console/texts', import.meta.url));
export const LANGUAGES = ['de', 'hu', 'fr'] as const;

/** The files of texts, without their endings. */
export function textFiles(): string[] {
  return readdirSync(TEXTS)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.slice(0, -'.ts'.length))
    .sort();
}

/** Each text of a file by its path, as a short hash of its source that no formatter changes. `language`: undefined is English. */
export function textHashes(file: string, language?: string): Map<string, string> {
  const source = stripTypeScriptTypes(readFileSync(join(TEXTS, language ?? '', `${file}.ts`), 'utf8'));
  const program = parse(source, { ecmaVersion: 'latest', sourceType: 'module' });
  const values = constantsOf(program);
  const texts = language === undefined ? values.get('english') : lastObject(values);
  if (texts?.type !== 'ObjectExpression') throw new Error(`${file}: no texts found`);
  const hashes = new Map<string, string>();
  collect(texts, '');
  return hashes;

  function collect(object: ObjectExpression, path: string): void {
    for (const property of object.properties) {
      if (property.type !== 'Property') {
        const shared = property.argument.type === 'Identifier' ? values.get(property.argument.name) : undefined;
        if (shared?.type !== 'ObjectExpression') throw new Error(`${file}: texts that others share stand at the top of the same file`);
        collect(shared, path);
        continue;
      }
      const name =
        property.key.type === 'Identifier' ? property.key.name : String(property.key.type === 'Literal' ? property.key.value : '');
      const value = property.value.type === 'Identifier' ? (values.get(property.value.name) ?? property.value) : property.value;
      const place = path === '' ? name : `${path}.${name}`;
      if (value.type === 'ObjectExpression') collect(value, place);
      else hashes.set(place, hashOf(source.slice(value.start, value.end)));
    }
  }
}

/** The constants at the top of a module. */
function constantsOf(program: Program): Map<string, Expression> {
  const found = new Map<string, Expression>();
  for (const statement of program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations) if (id.type === 'Identifier' && init) found.set(id.name, init);
  }
  return found;
}

const lastObject = (values: Map<string, Expression>): Expression | undefined =>
  [...values.values()].findLast(({ type }) => type === 'ObjectExpression');

function hashOf(source: string): string {
  const bare = source
    .replace(/\s+/g, ' ')
    .replace(/,? ([)\]}])/g, '$1')
    .replace(/([([{]) /g, '$1');
  return createHash('sha256').update(bare).digest('hex').slice(0, 8);
}

export const MISSING = '-';

/** English first, then the languages in their order: what each text was when somebody last looked at all of them. */
export type SeenTexts = Record<string, string>;

export const seenPath = (file: string): string => join(TEXTS, 'seen', `${file}.json`);

/** The texts as they are now, in the form in which they are kept. */
export function textsNow(file: string): SeenTexts {
  const english = textHashes(file);
  const others = LANGUAGES.map((language) => textHashes(file, language));
  return Object.fromEntries([...english].map(([path, hash]) => [path, [hash, ...others.map((other) => around(other, path))].join(' ')]));
}

/** The text, or what it is made in: a translation may make several texts by one function. */
function around(texts: Map<string, string>, path: string): string {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    const hash = texts.get(at);
    if (hash !== undefined) return hash;
  }
  return MISSING;
}

/** The languages in which a text still is what it was before its English changed. */
export function staleIn(seen: string | undefined, now: string): string[] {
  if (seen === undefined) return [];
  const [before, after] = [seen.split(' '), now.split(' ')];
  return before[0] === after[0] ? [] : LANGUAGES.filter((_, at) => before[at + 1] === after[at + 1]);
}
