import types from 'virtual:script-types';
import ts from 'typescript';
import { functionPermissions } from '../../contract/script-library.ts';
import { adminText, indexText, isDeclared, permissionsText } from './declarations.ts';
import type { Answers, Fault, ScriptState, Suggestion } from './protocol.ts';

const TASK = '/task.ts';
const LIBRARY = '/backroom/';
const LIBS = '/lib/';
const FAULTS_MAX = 200;

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  lib: types.libs.roots,
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
};

/**
 * What `strict` says only of types that are not written down: a source may be JavaScript, which has none. Without the rule itself, the type of
 * `const list = []` would be `never[]`, which takes nothing, instead of following from what is added.
 */
const UNWRITTEN_TYPES: ReadonlySet<number> = new Set([
  ...[7005, 7006, 7008, 7009, 7010, 7011, 7012, 7013, 7014, 7015, 7016, 7017, 7018, 7019, 7020, 7022, 7023, 7024, 7025, 7031, 7032, 7033],
  ...[7034, 7051, 7052, 7053, 7055, 7057],
]);

/** The types of a script's source, as TypeScript sees them. */
export function createTypesService() {
  const files = new Map<string, { text: string; version: number }>();
  const put = (name: string, text: string): void => {
    const before = files.get(name);
    if (before?.text !== text) files.set(name, { text, version: (before?.version ?? 0) + 1 });
  };
  for (const [name, text] of Object.entries(types.libs.files)) put(`${LIBS}${name}`, text);
  for (const [name, text] of Object.entries(types.library)) put(`${LIBRARY}${name}`, text);
  put(`${LIBRARY}permissions.ts`, permissionsText);
  const service = ts.createLanguageService(hostOf(files));
  let state: ScriptState = { source: '', permissions: [], parameters: [] };

  function allFaults(): Fault[] {
    const found = [...service.getSyntacticDiagnostics(TASK), ...service.getSemanticDiagnostics(TASK)];
    const faults = found.filter(({ code }) => !UNWRITTEN_TYPES.has(code)).map(faultOf);
    const isKnown = (lock: Fault): boolean => faults.some(({ from, needs }) => from === lock.from && needs !== undefined);
    return [...faults, ...locksIn(service.getProgram()).filter((lock) => !isKnown(lock))];
  }

  return {
    /** Reads the declarations, which are the same for every source. */
    readDeclarations(): void {
      this.set(state);
      service.getProgram();
    },
    set(next: ScriptState): void {
      state = next;
      const declared = new Set(next.permissions);
      put(`${LIBRARY}admin-types.ts`, adminText(types, declared));
      put(`${LIBRARY}index.ts`, indexText(declared, next.parameters));
      put(TASK, next.source);
    },
    faults(): Fault[] {
      return allFaults().slice(0, FAULTS_MAX);
    },
    needed(): string[] {
      const before = state;
      this.set({ ...before, permissions: [] });
      const needed = new Set(allFaults().flatMap(({ needs }) => needs ?? []));
      this.set(before);
      return [...needed];
    },
    suggest({ at }: { at: number }): Answers['suggest']['answer'] {
      const found = service.getCompletionsAtPosition(TASK, at, {});
      if (!found) return null;
      const before = state.source.slice(0, at);
      const word = /[\w$]*$/.exec(before)?.[0] ?? '';
      const needsOf = lockedIn(before, new Set(state.permissions));
      const list = found.entries
        .filter(({ kind }) => kind !== ts.ScriptElementKind.warning)
        .map(({ name, kind, sortText }): Suggestion => {
          const needs = needsOf(name);
          return { name, kind, order: sortText, ...(needs === undefined ? {} : { needs }) };
        });
      return { from: at - word.length, list };
    },
    describe({ at, name }: { at: number; name: string }): Answers['describe']['answer'] {
      const details = service.getCompletionEntryDetails(TASK, at, name, undefined, undefined, undefined, undefined);
      if (!details) return null;
      return { type: ts.displayPartsToString(details.displayParts), about: ts.displayPartsToString(details.documentation) };
    },
    explain({ at }: { at: number }): Answers['explain']['answer'] {
      const info = service.getQuickInfoAtPosition(TASK, at);
      if (!info) return null;
      const { start, length } = info.textSpan;
      return {
        from: start,
        to: start + length,
        type: ts.displayPartsToString(info.displayParts),
        about: ts.displayPartsToString(info.documentation),
      };
    },
  };
}

function hostOf(files: ReadonlyMap<string, { text: string; version: number }>): ts.LanguageServiceHost {
  const read = (name: string): string | undefined => files.get(name)?.text;
  return {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [TASK, `${LIBRARY}library.ts`, `${LIBRARY}web-types.ts`],
    getScriptVersion: (name) => String(files.get(name)?.version ?? 0),
    getScriptSnapshot: (name) => {
      const text = read(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => '/',
    getDefaultLibFileName: () => `${LIBS}lib.es5.d.ts`,
    fileExists: (name) => files.has(name),
    readFile: read,
    resolveModuleNameLiterals: (literals) => literals.map(({ text }) => ({ resolvedModule: resolve(text, files) })),
  };
}

function resolve(specifier: string, files: ReadonlyMap<string, unknown>): ts.ResolvedModuleFull | undefined {
  const name =
    specifier === 'backroom' ? 'index.ts' : /\.permissions(\.\w+)?$/.test(specifier) ? 'permissions.ts' : specifier.replace(/^\.\//, '');
  const resolvedFileName = `${LIBRARY}${name}`;
  return files.has(resolvedFileName) ? { resolvedFileName, extension: ts.Extension.Ts, isExternalLibraryImport: false } : undefined;
}

function faultOf({ start = 0, length = 0, messageText, category }: ts.Diagnostic): Fault {
  const message = ts.flattenDiagnosticMessageText(messageText, '\n');
  const needs = /PermissionNotDeclared<"([^"]+)">/.exec(message)?.[1];
  return {
    from: start,
    to: start + length,
    message,
    severity: category === ts.DiagnosticCategory.Error ? 'error' : 'warning',
    ...(needs === undefined ? {} : { needs }),
  };
}

/** Names of locked calls that are not called, as one that was just completed: TypeScript finds nothing wrong with them. */
function locksIn(program: ts.Program | undefined): Fault[] {
  const file = program?.getSourceFile(TASK);
  if (!program || !file) return [];
  const checker = program.getTypeChecker();
  const locks: Fault[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      const needs = /^PermissionNotDeclared<"([^"]+)">$/.exec(checker.typeToString(checker.getTypeAtLocation(node)))?.[1];
      const [from, to] = [node.name.getStart(file), node.name.getEnd()];
      if (needs !== undefined) locks.push({ from, to, message: needs, severity: 'error', needs });
    }
    ts.forEachChild(node, look);
  };
  look(file);
  return locks;
}

/** Which names are locked behind what stands before the cursor: `admin.customers.`, `files.`, or nothing for the globals. */
function lockedIn(before: string, declared: ReadonlySet<string>): (name: string) => string | undefined {
  const [, path = ''] = /((?:\w+\s*\.\s*)*)\w*$/.exec(before) ?? [];
  const parts = path.split('.').map((part) => part.trim());
  const needs = new Map(types.calls.map(({ id, needs: needed }) => [id, needed]));
  return (name) => {
    const needed =
      parts[0] === 'admin'
        ? needs.get(`${parts[1]}.${name === 'each' ? 'list' : name}`)
        : functionPermissions[`${path.replaceAll(/\s/g, '')}${name}`];
    return needed !== undefined && !isDeclared(needed, declared) ? needed : undefined;
  };
}
