import { dirname } from 'node:path';
import { z } from 'zod';
import { Failure } from './failure.ts';

/** An import that is neither of 'backroom' nor of types alone. */
const OTHER_IMPORT = /^[ \t]*(?:import|export)(?!\s+type\b)(?:[^'";]*?\bfrom)?\s*['"](?!backroom['"])/m;

/**
 * A task is one file for the server (automation.md §7). One that imports others, of the folder or of its packages, becomes
 * one with them, unminified, for people have to approve it; any other stays as it is.
 */
export async function bundleTask(path: string, source: string): Promise<string> {
  if (!OTHER_IMPORT.test(source)) return source;
  const { build, stop } = await import('esbuild');
  try {
    const { outputFiles } = await build({
      entryPoints: [path],
      absWorkingDir: dirname(path),
      tsconfigRaw: {},
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      target: 'esnext',
      external: ['backroom'],
      logLevel: 'silent',
    });
    return outputFiles[0]?.text ?? '';
  } catch (error) {
    throw new Failure(`${path} cannot be made one file with what it imports: ${reasonOf(error)}`, { cause: error });
  } finally {
    await stop();
  }
}

const BuildErrors = z.object({
  errors: z.array(z.object({ text: z.string(), location: z.object({ file: z.string(), line: z.int() }).nullable() })),
});

function reasonOf(error: unknown): string {
  const said = BuildErrors.safeParse(error).data?.errors;
  if (!said) return String(error);
  return said.map(({ text, location }) => (location ? `${location.file}:${location.line}: ${text}` : text)).join('; ');
}
