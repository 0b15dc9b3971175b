import { stripTypeScriptTypes } from 'node:module';
import {
  type ExportDefaultDeclaration,
  type ExportNamedDeclaration,
  type Identifier,
  type ImportDeclaration,
  type Literal,
  type Node,
  type Program,
  parse,
  type Token,
} from 'acorn';
import { scriptNames } from './script-library.ts';
import { createSourceMap, withMappings } from './source-map.ts';
import { linesOf, placeIn } from './source-text.ts';
import { isNode, walk } from './syntax-tree.ts';
import { findUncalled, type Uncalled } from './uncalled.ts';

export type SourceFault = { line: number; column: number; message: string };
/** The warnings of a source that runs are about what its author cannot have meant. */
export type CompiledSource = { ok: true; code: string; warnings: SourceFault[] } | { ok: false; warnings: SourceFault[] };

/** Makes JavaScript of TypeScript whose syntax is more than types, with a source map. */
export type Transform = (source: string) => { ok: true; code: string; mappings: string } | { ok: false; fault: SourceFault };

/**
 * Compiles a task's ES module (TypeScript or JavaScript) to one async function in strict mode, which returns its default export in an
 * array, followed by the words about a function that nothing calls, if there is one. Line n of the source is line n + 1 of the code, and
 * columns stay the same, so that positions in errors can be mapped; only code that `transform` made has a source map at its end. Never
 * throws. A source that is nested too deep breaks Node's type stripper for the rest of the thread: `canStripTypes` tells.
 */
export function compileTaskSource(source: string, transform?: Transform): CompiledSource {
  const text = source.startsWith('#!') ? `//${source.slice(2)}` : source;
  try {
    return { ok: true, ...compile(text, transform) };
  } catch (error) {
    if (error instanceof SourceError) return { ok: false, warnings: [error.fault] };
    return {
      ok: false,
      warnings: [{ line: 1, column: 1, message: 'the source cannot be read: it is nested too deep, or its lines are too long' }],
    };
  }
}

/** False after a hostile source has broken the type stripper of this thread. */
export function canStripTypes(): boolean {
  try {
    return stripTypeScriptTypes('let a: 1', { mode: 'strip' }) !== '';
  } catch {
    return false;
  }
}

class SourceError extends Error {
  readonly fault: SourceFault;
  /** The source is TypeScript that must be transformed. */
  readonly isTransformable: boolean;

  constructor(fault: SourceFault, isTransformable = false) {
    super(fault.message);
    this.fault = fault;
    this.isTransformable = isTransformable;
  }
}

type Compiled = { code: string; warnings: SourceFault[] };

function compile(source: string, transform: Transform | undefined): Compiled {
  try {
    const plain = stripTypes(source);
    return compilePlain(plain, parsePlain(plain));
  } catch (error) {
    if (!(error instanceof SourceError) || !error.isTransformable) throw error;
    if (transform) return compileTransformed(source, transform);
    throw new SourceError({ ...error.fault, message: `${error.message}; such a source is compiled when it is saved: save it again` });
  }
}

function compilePlain(plain: string, program: Program): Compiled {
  refuseImportExpressions(plain, program);
  const uncalled = findUncalled(program);
  return { code: wrap(plain, program, uncalled), warnings: uncalled ? [faultAt(uncalled.node, uncalled.message)] : [] };
}

/** Faults that are found in the transformed code are told with their place in the source. */
function compileTransformed(source: string, transform: Transform): Compiled {
  const made = transform(source);
  if (!made.ok) throw new SourceError(made.fault);
  const map = createSourceMap(made.mappings);
  const placed = (fault: SourceFault): SourceFault => ({ ...fault, ...(map(fault.line, fault.column) ?? { line: 1, column: 1 }) });
  try {
    const program = parseModule(made.code);
    refuseRequire(program);
    const { code, warnings } = compilePlain(made.code, program);
    return { code: withMappings(code, made.mappings), warnings: warnings.map(placed) };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new SourceError(placed(error.fault));
  }
}

/** `import x = require('y')` and `export =` belong to another kind of modules. */
function refuseRequire(program: Program): void {
  for (const node of program.body) {
    if (node.type !== 'VariableDeclaration') continue;
    for (const { init } of node.declarations) {
      if (init?.type === 'CallExpression' && init.callee.type === 'Identifier' && init.callee.name === 'require')
        refuse(init, '`import … = require()` is refused: a task is one file');
    }
  }
}

/** Decorators and `accessor` pass the type stripper as they are; no engine knows them yet. */
const LATER_SYNTAX = /@|\baccessor\b/;

function parsePlain(plain: string): Program {
  try {
    return parseModule(plain);
  } catch (error) {
    if (!(error instanceof SourceError) || !LATER_SYNTAX.test(plain)) throw error;
    throw new SourceError(error.fault, true);
  }
}

function stripTypes(source: string): string {
  try {
    const plain = stripTypeScriptTypes(source, { mode: 'strip' });
    return plain !== source && areComparisons(source, plain) ? source : plain;
  } catch (error) {
    // Any other error means that the stripper itself failed.
    if (!(error instanceof SyntaxError)) throw error;
    // The stripper refuses some valid JavaScript. It still comes first, because `f<number>(1)` is valid JavaScript with another meaning.
    if (parseJavaScript(source)) return source;
    const { line, column } = placeInPicture(source, error.stack ?? '');
    const isUnsupported = 'code' in error && error.code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX';
    throw new SourceError({ line, column, message: error.message }, isUnsupported && !OTHER_MODULES.test(error.message));
  }
}

/** Syntax of CommonJS, which has no place in an ES module. */
const OTHER_MODULES = /import equals|export assignment/i;

/**
 * `[a < b, c > (d)]` is two comparisons in JavaScript, and a call with two type arguments in TypeScript. It counts as comparisons if every
 * name between the signs is used as a value elsewhere in the source.
 */
function areComparisons(source: string, plain: string): boolean {
  const taken = takenOut(source, plain);
  const isList = (text: string): boolean => text.startsWith('<') && text.endsWith('>') && text.includes(',');
  const program = taken.every(({ start, end }) => isList(source.slice(start, end))) ? parseJavaScript(source) : null;
  if (!program) return false;
  // One mark for each character, because a hostile source can have as many removed places as names.
  const marks = new Uint8Array(source.length);
  for (const { start, end } of taken) marks.fill(1, start, end);
  const isTaken = ({ start }: Node): boolean => marks[start] === 1;
  const keys = new Set<unknown>();
  const values = new Set<string>();
  const between = new Set<string>();
  let inSequence = false;
  walk(program, (node) => {
    if ('key' in node && !('computed' in node && node.computed)) keys.add(node.key);
    if ('property' in node && !('computed' in node && node.computed)) keys.add(node.property);
    if (isIdentifier(node) && !keys.has(node)) (isTaken(node) ? between : values).add(node.name);
    // The statement `f<A, B>(c);` would only compare and drop the results, so it must be a call.
    if (node.type === 'SequenceExpression' && 'expressions' in node && Array.isArray(node.expressions)) {
      inSequence ||= node.expressions.some((part) => isNode(part) && isTaken(part));
    }
    return true;
  });
  return !inSequence && [...between].every((name) => values.has(name));
}

function isIdentifier(node: Node): node is Identifier {
  return node.type === 'Identifier';
}

/** Finds what the stripper removed: it replaces removed text by blanks. */
function takenOut(source: string, plain: string): Array<{ start: number; end: number }> {
  const spans: Array<{ start: number; end: number }> = [];
  for (let at = 0; at < source.length; at += 1) {
    if (source[at] === plain[at]) continue;
    const last = spans.at(-1);
    if (last && source.slice(last.end, at).trim() === '') last.end = at + 1;
    else spans.push({ start: at, end: at + 1 });
  }
  return spans;
}

const WIDE =
  /\p{Extended_Pictographic}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const TAB_STOP = 4;
const BLOCK = /\b(?:enum|namespace|module)\b/;

/**
 * The stripper tells the place of an error only as a picture in the stack: the number of a line, some lines, and marks below the line in
 * question, counted in terminal columns. An error that spans several lines has no marks. It counts lines that end at LF, CR LF or CR, and
 * shows those that end at LF; the place is counted as ECMAScript ends lines.
 */
function placeInPicture(source: string, stack: string): { line: number; column: number } {
  const shown = stack.split('\n', 20);
  const line = Number(/:(\d+)$/.exec(shown[0] ?? '')?.[1] ?? 1);
  const start = startOfLine(source, line);
  const from = source.lastIndexOf('\n', start - 1) + 1;
  const [text = ''] = source.slice(from).split('\n', 1);
  const marks = shown.findIndex(
    (row, i) => i > 1 && /^ *\^+$/.test(row) && shown[i - 1]?.trimEnd().length === expandTabs(text).trimEnd().length,
  );
  const lines = linesOf(source);
  if (marks < 0) {
    const [own = ''] = source.slice(start).split(/[\n\r]/, 1);
    return placeIn(lines, start + Math.max(0, own.search(BLOCK.test(own) ? BLOCK : /\S/)));
  }
  const before = shown[marks]?.indexOf('^') ?? 0;
  let width = 0;
  let offset = from;
  for (const character of text) {
    if (width >= before) break;
    width += widthOf(character, width);
    offset += character.length;
  }
  return placeIn(lines, offset);
}

function startOfLine(source: string, line: number): number {
  const ends = source.matchAll(/\r\n|[\n\r]/g);
  let start = 0;
  for (let at = 1; at < line; at++) {
    const end = ends.next().value;
    if (end) start = end.index + end[0].length;
  }
  return start;
}

function widthOf(character: string, at: number): number {
  if (character === '\t') return TAB_STOP - (at % TAB_STOP);
  if (/\p{Cc}/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

function expandTabs(text: string): string {
  return text.replace(/\t/g, (_, at: number) => ' '.repeat(widthOf('\t', at)));
}

/** Returns null if the source is not valid JavaScript. */
function parseJavaScript(source: string): Program | null {
  try {
    return parseModule(source);
  } catch (error) {
    if (error instanceof SourceError) return null;
    throw error;
  }
}

function parseModule(source: string, onToken?: (token: Token) => void): Program {
  try {
    // With parentheses as nodes, an expression starts at its first character.
    const options = { ecmaVersion: 'latest', sourceType: 'module', locations: true, preserveParens: true } as const;
    return parse(source, { ...options, ...(onToken && { onToken }) });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const place = 'loc' in error ? error.loc : undefined;
    const { line, column } = isPlace(place) ? place : { line: 1, column: 0 };
    throw new SourceError({ line, column: column + 1, message: error.message.replace(/ \(\d+:\d+\)$/, '') });
  }
}

function isPlace(value: unknown): value is { line: number; column: number } {
  return typeof value === 'object' && value !== null && 'line' in value && 'column' in value;
}

/** Refuses `import()`, `import.meta`, and `<!--`, which only a non-module script would read as a comment. */
function refuseImportExpressions(source: string, program: Program): void {
  const imports = program.body.filter(({ type }) => type === 'ImportDeclaration').length;
  if (source.split('import').length - 1 > imports) {
    walk(program, (node) => {
      if (node.type === 'ImportExpression') refuse(node, 'import() is refused: a task is one file');
      if (node.type === 'MetaProperty' && source.startsWith('import', node.start)) refuse(node, 'import.meta is refused');
      return true;
    });
  }
  if (!source.includes('<!--')) return;
  parseModule(source, (token) => {
    if (token.type.label === '</>/<=/>=' && source.startsWith('<!--', token.start)) {
      refuse(token, '`<!--` is refused, because some parsers read it as the start of a comment; put spaces between its characters');
    }
  });
}

type Edit = { start: number; end: number; text: string };
type Edits = { source: string; head: string[]; list: Edit[]; defaultName: string; result: string };

/** Puts the module's body into a function. Syntax that only a module may have is blanked or moved to the first line. */
function wrap(source: string, program: Program, uncalled: Uncalled | null): string {
  const edits: Edits = { source, head: [], list: [], defaultName: unusedName(source), result: 'undefined' };
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration') editImport(edits, node);
    else if (node.type === 'ExportAllDeclaration') refuse(node, 'export … from is refused: a task is one file');
    else if (node.type === 'ExportNamedDeclaration') editExport(edits, node);
    else if (node.type === 'ExportDefaultDeclaration') editDefault(edits, node);
  }
  let at = 0;
  const parts = edits.list.map(({ start, end, text }) => {
    const part = source.slice(at, start) + text;
    at = end;
    return part;
  });
  const body = parts.join('') + source.slice(at);
  const results = [edits.result, ...(uncalled ? [JSON.stringify(uncalled.message)] : [])];
  return `(async function () { "use strict"; const ${edits.defaultName} = {};${edits.head.join('')}\n${body}\n;return [${results.join(', ')}]; })`;
}

function editImport(edits: Edits, node: ImportDeclaration): void {
  if (node.source.value !== 'backroom') {
    refuse(
      node,
      `import of ${JSON.stringify(node.source.value)} is refused: only 'backroom' can be imported, and types with \`import type\``,
    );
  }
  for (const specifier of node.specifiers) {
    if (specifier.type === 'ImportDefaultSpecifier') refuse(specifier, "'backroom' has no default export");
    else if (specifier.type === 'ImportNamespaceSpecifier') {
      edits.head.push(`const ${specifier.local.name} = Object.freeze({ ${scriptNames.join(', ')} });`);
    } else {
      const name = nameOf(specifier.imported);
      if (!scriptNames.includes(name)) refuse(specifier, `'backroom' has no export ${JSON.stringify(name)}`);
      if (name !== specifier.local.name) edits.head.push(`const ${specifier.local.name} = ${name};`);
    }
  }
  blank(edits, node.start, node.end);
}

function editExport(edits: Edits, node: ExportNamedDeclaration): void {
  if (node.source) refuse(node, 'export … from is refused: a task is one file');
  if (node.declaration) {
    blank(edits, node.start, node.declaration.start);
    return;
  }
  for (const { exported, local } of node.specifiers) if (nameOf(exported) === 'default') edits.result = nameOf(local);
  blank(edits, node.start, node.end);
}

/** A named declaration keeps its name and hoisting; any other default export becomes an assignment. */
function editDefault(edits: Edits, node: ExportDefaultDeclaration): void {
  const { declaration } = node;
  const isDeclaration = declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration';
  if (isDeclaration && declaration.id) {
    edits.result = declaration.id.name;
    blank(edits, node.start, declaration.start);
    return;
  }
  edits.result = `${edits.defaultName}.d`;
  // The target is a property, because assigning to a variable would give an unnamed function that variable's name.
  const assignment = `;${edits.defaultName}.d=`;
  edits.list.push({ start: node.start, end: node.start + assignment.length, text: assignment });
  blank(edits, node.start + assignment.length, declaration.start);
  // A call or an index after a declaration is a statement of its own, but after an expression it would apply to the expression.
  if (isDeclaration) edits.list.push({ start: node.end, end: node.end, text: ';' });
}

/** A short unused name: `;$0.d=` must fit into the place of `export`. */
function unusedName(source: string): string {
  for (let i = 0; i < 36; i++) {
    const name = `$${i.toString(36)}`;
    if (!source.includes(name)) return name;
  }
  throw new SourceError({ line: 1, column: 1, message: 'the source uses too many names that start with $' });
}

function blank(edits: Edits, start: number, end: number): void {
  edits.list.push({ start, end, text: edits.source.slice(start, end).replace(/[^\n\r\u2028\u2029]/g, ' ') });
}

function nameOf(node: Identifier | Literal): string {
  return node.type === 'Identifier' ? node.name : String(node.value);
}

type Located = Pick<Node, 'loc'>;

function refuse(node: Located, message: string): never {
  throw new SourceError(faultAt(node, message));
}

function faultAt({ loc }: Located, message: string): SourceFault {
  return { line: loc?.start.line ?? 1, column: (loc?.start.column ?? 0) + 1, message };
}
