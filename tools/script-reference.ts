import { readFileSync } from 'node:fs';
import type { ScriptReference } from '../console/editor/script-reference.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { endpointList } from '../contract/index.ts';
import { functionPermissions, scriptNames } from '../contract/script-library.ts';
import { scriptTypes } from './console-types.ts';
import { sampleSource } from './sample-source.ts';
import { libraryExamples } from './script-examples.ts';

/** What the reference beside the editor shows: every call of `admin`, and every name of the library, with an example each. */
export function scriptReference(): ScriptReference {
  return [...libraryEntries(), ...callEntries()];
}

function callEntries(): ScriptReference {
  return scriptTypes().calls.map(({ id, needs, summary, signature, each }) => ({
    name: `admin.${id}`,
    needs,
    summary,
    signature: signature.replace(/^\(/, `${id.slice(id.indexOf('.') + 1)}(`),
    example: exampleOf(id, each !== undefined),
  }));
}

/** A call with the values that it must have; of a change, with one value at least. */
function exampleOf(id: string, isFollowed: boolean): string {
  const endpoint = endpointList.find((one) => one.id === id);
  if (!endpoint) throw new Error(`there is no endpoint ${id}`);
  const [resource = ''] = id.split('.');
  if (isFollowed) return `for await (const row of admin.${resource}.each({})) {\n  log(row.id);\n}`;
  const ids = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => (name.endsWith('id') ? '1' : "'name'"));
  const values = [bodyOf(endpoint), endpoint.query && sampleSource(endpoint.query)].filter((one) => one !== undefined);
  // What need not be given is left out, unless something must be given after it.
  while (values.at(-1) === '{}') values.pop();
  const call = `await admin.${id}(${[...ids, ...values].join(', ')});`;
  return endpoint.method === 'GET' ? `const found = ${call}` : call;
}

function bodyOf({ multipart, body, method }: Endpoint): string | undefined {
  if (multipart) return "{ file: { filename: 'a.txt', content: 'text' } }";
  return body && sampleSource(body, { isChange: method === 'PATCH' });
}

const LIBRARY = new URL('../sandbox-lib/index.ts', import.meta.url);

/** The names of the library with what `sandbox-lib/index.ts` says about them; of an object, each of its functions. */
function libraryEntries(): ScriptReference {
  const text = readFileSync(LIBRARY, 'utf8');
  return scriptNames
    .filter((name) => name !== 'admin')
    .flatMap((name) => {
      const place = new RegExp(`^export declare (?:const|function|class) ${name}\\b`, 'm').exec(text);
      if (!place) throw new Error(`sandbox-lib/index.ts does not declare ${name}`);
      const declared = declaredAt(text, place.index);
      const about = aboutBefore(text, place.index);
      const members = [...declared.matchAll(/^ {2}(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2})?(\w+)(?:<[^>]*>)?\(/gm)];
      if (!declared.startsWith('export declare const') || members.length === 0)
        return [entryOf(name, about, declared.replace(/^export declare (?:const |function )?/, '').replace(/;$/, ''))];
      return withOverloads(
        members.map(({ 1: own = '', 2: method = '', index, 0: found }) =>
          entryOf(`${name}.${method}`, wordsOf(own) || about, signatureAt(declared, index + found.lastIndexOf(method))),
        ),
      );
    });
}

/** A function that can be called in several ways is one entry, with a line for each. */
function withOverloads(entries: ScriptReference): ScriptReference {
  return [...Map.groupBy(entries, ({ name }) => name).values()].flatMap(([first, ...more]) =>
    first
      ? {
          ...first,
          summary: [first, ...more].map(({ summary }) => summary).join(' '),
          signature: [first, ...more].map(({ signature }) => signature).join('\n'),
        }
      : [],
  );
}

function entryOf(name: string, summary: string, signature: string): ScriptReference[number] {
  const example = libraryExamples[name];
  if (example === undefined) throw new Error(`tools/script-examples.ts has no example of ${name}`);
  return { name, needs: functionPermissions[name] ?? null, summary, signature, example };
}

/** A declaration, which ends with its line or with the line of its closing bracket. */
function declaredAt(text: string, at: number): string {
  const line = text.slice(at, text.indexOf('\n', at));
  return /[{(]$/.test(line) ? text.slice(at, text.indexOf('\n}', at) + 2) : line;
}

const signatureAt = (declared: string, at: number): string => declared.slice(at, declared.indexOf('\n', at)).replace(/;$/, '');

function aboutBefore(text: string, at: number): string {
  const end = text.lastIndexOf('*/', at);
  return /^\s*$/.test(text.slice(end + 2, at)) ? wordsOf(text.slice(text.lastIndexOf('/**', end) + 3, end)) : '';
}

const wordsOf = (comment: string): string =>
  comment
    .replaceAll(/^\s*\*? ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
