import { scriptLibrary } from '../../contract/script-library.ts';
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

/**
 * What 'backroom' exports: the names of `library.ts` (sandbox-lib/index.ts), those that need a permission which is not declared with a type that
 * says which, and the parameters by the names of the version's.
 */
export function indexText(declared: ReadonlySet<string>, parameters: readonly Parameter[]): string {
  const lines = Object.entries(scriptLibrary).flatMap(([name, needs]) => {
    if (needs === null) return [];
    if (typeof needs === 'string') return isDeclared(needs, declared) ? [] : [`export declare const ${name}: ${lockOf(needs)};`];
    const locked = Object.entries(needs).filter(([, one]) => !isDeclared(one, declared));
    if (locked.length === 0) return [];
    const rest = `Omit<typeof library.${name}, ${locked.map(([method]) => JSON.stringify(method)).join(' | ')}>`;
    return [
      `export declare const ${name}: ${rest} & { ${locked.map(([method, one]) => `readonly ${method}: ${lockOf(one)}`).join('; ')} };`,
    ];
  });
  const named = parameters.map((one) => `${JSON.stringify(one.name)}: ${parameterType(one)}`);
  return `import type { PermissionNotDeclared } from './admin-types.ts';
import * as library from './library.ts';
import type { Json } from './library.ts';
export * from './library.ts';
${lines.join('\n')}
/** The run's parameters, checked against the version's declarations. */
export declare const parameters: { ${named.join('; ')} } & Record<string, Json>;
`;
}

const lockOf = (needs: string): string => `PermissionNotDeclared<${JSON.stringify(needs)}>`;

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
export const permissionsText = "export type Script = typeof import('./index.ts');\n";
