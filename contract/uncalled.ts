import type { Expression, ModuleDeclaration, Node, Pattern, Program, Statement } from 'acorn';
import { isNode, walk } from './syntax-tree.ts';

/** What a source defines and nothing calls: the words for its author, and their place. */
export type Uncalled = { node: Node; message: string };

/** The names that people give the function which they expect to be called. */
const ENTRY =
  /^(?:main|run|runs?Task|handler?|handle[A-Z]\w*|on[A-Z]\w*|task|job|script|execute|exec|start|process|perform|init|index|cron|fetch|scheduled)$/;

type Named = { name: string; node: Node; isFunction: boolean; isExported: boolean };

/**
 * Finds the function that an author expects to be called and that nothing calls. A task runs its top level and its default export, so
 * a module that exports `main`, or only defines functions, ends in success without having done anything.
 */
export function findUncalled(program: Program): Uncalled | null {
  const exported = program.body.find(({ type }) => type === 'ExportDefaultDeclaration');
  if (exported?.type === 'ExportDefaultDeclaration') return methodOf(exported.declaration);
  const names = exportedNames(program.body);
  if (names.has('default')) return null;
  const defined = program.body.flatMap((node) => definedBy(node, names));
  const only = program.body.every(doesNothing);
  const found = only
    ? (defined.find(({ name, isExported }) => isExported && ENTRY.test(name)) ??
      defined.find(({ name }) => ENTRY.test(name)) ??
      defined.find(({ isExported }) => isExported) ??
      defined.at(-1))
    : defined.find((one) => one.isExported && one.isFunction && ENTRY.test(one.name) && isNamedOnce(program, one.name));
  if (!found) return null;
  const rule = `a task runs its top level and its default export: write \`export default\` before what is to run`;
  return { node: found.node, message: `${only ? 'this task does nothing: ' : ''}nothing calls \`${found.name}\`, because ${rule}` };
}

/** An object with functions as default export, as other systems take it. */
function methodOf(declaration: Node): Uncalled | null {
  let node: unknown = declaration;
  while (isNode(node) && node.type === 'ParenthesizedExpression' && 'expression' in node) node = node.expression;
  if (!isNode(node) || node.type !== 'ObjectExpression' || !('properties' in node) || !Array.isArray(node.properties)) return null;
  const method = node.properties.find((one) => isNode(one) && 'value' in one && isFunction(one.value));
  if (!isNode(method) || !('key' in method) || !isNode(method.key)) return null;
  const name = 'name' in method.key && typeof method.key.name === 'string' ? `\`${method.key.name}\`` : 'its function';
  return {
    node: method,
    message: `nothing calls ${name}, because the default export is an object, which is the result: export the function itself`,
  };
}

function exportedNames(body: Program['body']): Set<string> {
  const names = body.flatMap((node) =>
    node.type !== 'ExportNamedDeclaration'
      ? []
      : node.specifiers.flatMap(({ local, exported }) =>
          [local, exported].map((one) => (one.type === 'Identifier' ? one.name : String(one.value))),
        ),
  );
  return new Set(names);
}

function definedBy(node: Statement | ModuleDeclaration, names: ReadonlySet<string>): Named[] {
  const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
  const named = (id: Pattern | null, value: unknown, at: Node): Named[] => {
    if (id?.type !== 'Identifier') return [];
    const isExported = node.type === 'ExportNamedDeclaration' || names.has(id.name);
    return [{ name: id.name, node: at, isFunction: isFunction(value), isExported }];
  };
  if (declaration?.type === 'FunctionDeclaration' || declaration?.type === 'ClassDeclaration') {
    return named(declaration.id, declaration, declaration);
  }
  if (declaration?.type !== 'VariableDeclaration') return [];
  return declaration.declarations.flatMap(({ id, init }) => (init && mayBeCalled(init) ? named(id, init, declaration) : []));
}

function mayBeCalled(init: Expression): boolean {
  return isFunction(init) || init.type === 'ClassExpression' || (init.type === 'ObjectExpression' && methodOf(init) !== null);
}

function isFunction(value: unknown): boolean {
  return isNode(value) && ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(value.type);
}

const ACTS = /^(?:Call|New|Await|TaggedTemplate|Import|Update|Assignment|Yield)Expression$/;

/** Whether the statement only defines something: nothing in it happens outside of functions. */
function doesNothing(node: Statement | ModuleDeclaration): boolean {
  const isDefinition = /^(?:Import|Export\w*|Function|Class|Variable)Declaration$|^EmptyStatement$/.test(node.type);
  // `'use strict'` and the like.
  if (!isDefinition) return node.type === 'ExpressionStatement' && node.expression.type === 'Literal';
  let acts = false;
  walk(node, (inner) => {
    acts ||= ACTS.test(inner.type);
    return !acts && !isFunction(inner);
  });
  return !acts;
}

function isNamedOnce(program: Program, name: string): boolean {
  let count = 0;
  walk(program, (node) => {
    if (node.type === 'Identifier' && 'name' in node && node.name === name) count += 1;
    return count < 2;
  });
  return count === 1;
}
