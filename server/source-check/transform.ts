import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import type { Transform } from '../../contract/task-source.ts';

/** Less than the time that the check of a source has (check.ts). */
const TIMEOUT_MS = 8000;
/** 1 MiB of honest source takes one. */
const CPU_MAX_SECONDS = 3;
/**
 * Enough for 1 MiB of source. esbuild writes the text of a member of an enum wherever it is used, so a hostile source could become any
 * amount of code.
 */
const OUTPUT_MAX_BYTES = 6 * 1024 * 1024;
/** Of address space, of which Go reserves most without using it. */
const MEMORY_MAX_KIB = 1_500_000;
const MAP = '//# sourceMappingURL=data:application/json;base64,';
const COMPILER_OPTIONS = { target: 'ESNext', useDefineForClassFields: true, verbatimModuleSyntax: true };
const ARGUMENTS = [
  ...['--loader=ts', '--target=esnext', '--supported:decorators=false', '--charset=utf8', '--sourcemap=inline', '--sources-content=false'],
  ...[`--tsconfig-raw=${JSON.stringify({ compilerOptions: COMPILER_OPTIONS })}`, '--log-level=error', '--log-limit=1', '--color=false'],
];

/**
 * Transforms a TypeScript source with esbuild. A process of its own does it, with an empty environment, because it is the one way to end
 * esbuild where a hostile source makes it work without end.
 */
export const transformTypeScript: Transform = (source) => {
  const options = { input: source, env: {}, timeout: TIMEOUT_MS, maxBuffer: OUTPUT_MAX_BYTES, encoding: 'utf8' } as const;
  // Where a system knows no limit of memory, the shell goes on without it.
  const limited = ['-c', `ulimit -t ${CPU_MAX_SECONDS}; ulimit -v ${MEMORY_MAX_KIB} 2>/dev/null; exec "$0" "$@"`, binary(), ...ARGUMENTS];
  const { status, stdout, stderr } = spawnSync('/bin/sh', limited, { ...options, killSignal: 'SIGKILL' });
  const at = stdout?.lastIndexOf(MAP) ?? -1;
  if (status !== 0 || at < 0) return { ok: false, fault: faultIn(stderr ?? '') ?? TOO_MUCH };
  const map: unknown = JSON.parse(Buffer.from(stdout.slice(at + MAP.length), 'base64').toString());
  const mappings = typeof map === 'object' && map !== null && 'mappings' in map ? String(map.mappings) : '';
  return { ok: true, code: stdout.slice(0, at), mappings };
};

/** The program itself: the package's own command may be a script that starts it. */
function binary(): string {
  const require = createRequire(import.meta.resolve('esbuild'));
  return require.resolve(`@esbuild/${process.platform}-${process.arch}/bin/esbuild`);
}

const TOO_MUCH = { line: 1, column: 1, message: 'the source becomes too much code, or takes too long, when its TypeScript is transformed' };

/** Reads the first error that esbuild prints; null where it has none, because it was ended. */
function faultIn(printed: string): { line: number; column: number; message: string } | null {
  const [, message, line, column] = /\[ERROR\] (.*)\n\s+<stdin>:(\d+):(\d+):/.exec(printed) ?? [];
  return message === undefined ? null : { line: Number(line), column: Number(column) + 1, message };
}
