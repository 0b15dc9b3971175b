import { realpath, stat } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { extname, sep } from 'node:path';
import type { Metafile, PartialMessage, Plugin } from 'esbuild';
import { z } from 'zod';
import { Failure } from './failure.ts';
import { pathInside } from './inside.ts';

/** An import that is neither of 'backroom' nor of types alone. */
const OTHER_IMPORT = /^[ \t]*(?:import|export)(?!\s+type\b)(?:[^'";]*?\bfrom)?\s*['"](?!backroom['"])/m;
const ADDRESS = /^[a-z][a-z0-9+.-]+:/i;
const PACKAGES = 'node_modules';
const ABSENT = 'absent';
const CODE = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json'];

type Source = {
  /** The task's folder, without links, and the path of the file in it. */
  folder: string;
  file: string;
  text: string;
  /** Files of the folder, by their paths in it, whose text somebody else wrote: they came from the server. */
  pulled: ReadonlySet<string>;
};

/**
 * A task is one file for the server (automation.md §7). One that imports others, of the folder or of its packages, becomes
 * one with them, unminified, for people have to approve it; any other stays as it is. Whoever wrote the source decides
 * what is read here and sent, so that nothing outside the folder is, whatever leads there, and nothing that is no code.
 */
export async function bundleTask({ folder, file, text, pulled }: Source): Promise<string> {
  if (!OTHER_IMPORT.test(text)) return text;
  const { build, stop } = await import('esbuild');
  try {
    const { outputFiles, metafile } = await build({
      entryPoints: [`${folder}${sep}${file}`],
      absWorkingDir: folder,
      tsconfigRaw: {},
      nodePaths: [],
      plugins: [withinFolder(folder)],
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      // The sandbox has what browsers have, and nothing of Node.
      platform: 'browser',
      define: { 'process.env.NODE_ENV': '"production"' },
      target: 'esnext',
      external: ['backroom'],
      logLevel: 'silent',
    });
    refuseOfOthers(metafile, pulled);
    return outputFiles[0]?.text ?? '';
  } catch (error) {
    throw new Failure(`${file} cannot be made one file with what it imports: ${reasonOf(error)}`, { cause: error });
  } finally {
    await stop();
  }
}

/** Whatever leads esbuild to a file, a link, a map of a package.json or a pattern, the file is looked at before it is read. */
function withinFolder(folder: string): Plugin {
  return {
    name: 'within-folder',
    setup(build) {
      build.onResolve({ filter: ADDRESS }, ({ path }) =>
        // What is Node's own is refused by esbuild, with its reason.
        path.startsWith('node:') ? undefined : refuse(`"${path.slice(0, 100)}" is an address`),
      );
      // A package that tries whether something of Node is there finds that it is not, when it tries.
      build.onResolve({ filter: /.*/ }, ({ path, kind }) =>
        kind === 'dynamic-import' && isBuiltin(path) ? { path, namespace: ABSENT } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: ABSENT }, ({ path }) => {
        return { contents: `throw new Error(${JSON.stringify(`${path} is Node's own, and not there in the sandbox`)});` };
      });
      build.onLoad({ filter: /.*/, namespace: 'file' }, async ({ path, with: attributes }) => {
        const real = await realpath(path);
        const inside = pathInside(folder, real);
        if (inside === undefined) return refuse(`${path} lies outside the task's folder (${folder})`);
        if (isHidden(inside)) return refuse(`${inside} is hidden`);
        const isCode = CODE.includes(extname(real)) && (attributes['type'] ?? 'json') === 'json' && (await stat(real)).isFile();
        // esbuild reads it: a file that a package has disabled for browsers stays empty.
        return isCode ? undefined : refuse(`${inside} is not imported as code`);
      });
    },
  };
}

/** Below the packages some installers have hidden folders of packages. */
function isHidden(path: string): boolean {
  const parts = path.split(sep);
  const [first, last] = [parts.indexOf(PACKAGES), parts.lastIndexOf(PACKAGES)];
  return parts.some((part, at) => part.startsWith('.') && (at < first || at > last));
}

function refuse(problem: string): { errors: PartialMessage[] } {
  const accepted = `accepted are ${CODE.join(', ')} of the task's folder and its ${PACKAGES}`;
  return { errors: [{ text: `${problem}; ${accepted}` }] };
}

/** Who wrote what came from the server knows the names of files here, but not what they hold. */
function refuseOfOthers({ inputs }: Metafile, pulled: ReadonlySet<string>): void {
  for (const [file, { imports }] of Object.entries(inputs)) {
    if (!pulled.has(file)) continue;
    // What is external stays as it is written, but for patterns.
    const other = imports.find(({ path, external }) => (external ? path.includes('*') : !isOfPackage(path)));
    if (!other) continue;
    const what = `${file} came from the server and imports "${other.original ?? other.path}"`;
    throw new Failure(`${what}: such a source may import packages alone; put what it needs into it`);
  }
}

function isOfPackage(path: string): boolean {
  return path.startsWith(`${PACKAGES}/`) || path.startsWith('(disabled):') || path.startsWith(`${ABSENT}:`);
}

const BuildErrors = z.object({
  errors: z.array(z.object({ text: z.string(), location: z.object({ file: z.string(), line: z.int() }).nullable() })),
});

function reasonOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  const said = BuildErrors.safeParse(error).data?.errors;
  if (!said) return String(error);
  return said.map(({ text, location }) => (location ? `${location.file}:${location.line}: ${text}` : text)).join('; ');
}
