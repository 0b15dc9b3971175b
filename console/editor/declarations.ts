import type { ScriptCall, ScriptTypes } from './script-types.ts';

type Parameter = { name: string; kind: string; required?: boolean | undefined; default?: unknown };

/** Write implies read, as everywhere. */
export function isDeclared(needed: string, declared: ReadonlySet<string>): boolean {
  return declared.has(needed) || (needed.endsWith('.read') && declared.has(needed.replace(/read$/, 'write')));
}

/** The text of the types of `admin`, for a version that declares these permissions: what it may not call has a type that says why. */
export function adminText({ schemas, calls }: Pick<ScriptTypes, 'schemas' | 'calls'>, declared: ReadonlySet<string>): string {
  const resources = Map.groupBy(calls, ({ id }) => id.slice(0, id.indexOf('.')));
  const members = [...resources].map(
    ([resource, some]) => `  ${resource}: {\n${some.map((call) => memberText(call, declared)).join('')}  };\n`,
  );
  return `${LOCK}${schemas}export interface Admin {\n${members.join('')}}\n`;
}

const LOCK = `/** Stands for a call whose permission is not declared. */
export interface PermissionNotDeclared<Needed> {
  readonly missing_permission: Needed;
}
`;

function memberText({ id, needs, summary, signature, each }: ScriptCall, declared: ReadonlySet<string>): string {
  const name = id.slice(id.indexOf('.') + 1);
  const comment = `    /** ${summary.replaceAll('*/', '')}. Needs \`${needs}\`. */\n`;
  if (!isDeclared(needs, declared)) {
    const lock = `PermissionNotDeclared<${JSON.stringify(needs)}>;\n`;
    return `${comment}    readonly ${name}: ${lock}${each ? `    readonly each: ${lock}` : ''}`;
  }
  return `${comment}    ${name}${signature};\n${each ? `    /** Yields the rows one by one. */\n    each${each};\n` : ''}`;
}

/** The library of scripts, without what these permissions do not open, and with the declared parameters by name. */
export function indexText(
  { library, locks }: Pick<ScriptTypes, 'library' | 'locks'>,
  declared: ReadonlySet<string>,
  parameters: readonly Parameter[],
): string {
  let text = (library['index.ts'] ?? '').replace('import type { Admin } from', 'import type { Admin, PermissionNotDeclared } from');
  for (const lock of locks) if (!isDeclared(lock.needs, declared)) text = text.replace(lock.text, () => lock.locked);
  const named = parameters.map((one) => `${JSON.stringify(one.name)}: ${parameterType(one)}`);
  return text.replace(
    'export declare const parameters: Record<string, Json>;',
    () => `export declare const parameters: { ${named.join('; ')} } & Record<string, Json>;`,
  );
}

const kinds: Record<string, string> = {
  string: 'string',
  date: 'string',
  number: 'number',
  boolean: 'boolean',
  file: 'number',
  order_ids: 'number[]',
  customer_ids: 'number[]',
  product_ids: 'number[]',
};

function parameterType({ kind, required, default: usual }: Parameter): string {
  const type = kinds[kind];
  if (type === undefined) return 'Json';
  return required || (usual !== undefined && usual !== null) ? type : `${type} | null`;
}

/** What `NAME.permissions.ts` exports, which sources that were written on a machine import. */
export const permissionsText = `import type { Admin } from './admin.ts';
import { files, http, llm, mail, notify, prompt, tasks } from './index.ts';
export type { Admin };
export type Files = typeof files;
export type Llm = typeof llm;
export type Http = typeof http;
export type Tasks = typeof tasks;
export type Prompt = typeof prompt;
export type Notify = typeof notify;
export type Mail = typeof mail;
`;
