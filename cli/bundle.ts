import { realpath, stat } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { extname, sep } from 'node:path';
import type { Metafile, PartialMessage, Plugin } from 'esbuild';
import { z } from 'zod';
import { Failure } from './failure.ts';
import { pathInside } from './inside.ts';

/** An import of another module than 'backroom' that is not an `import type`. */
const OTHER_IMPORT = /^[ \t]*(?:import|export)(?!\s+type\b)(?:[^'";]*?\bfrom)?\s*['"](?!backroom['"])/m;
const ADDRESS = /^[a-z][a-z0-9+.-]+:/i;
const PACKAGES = 'node_modules';
const ABSENT = 'absent';
const CODE = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json'];

type Source = {
  /** The real path of the task's folder (without symbolic links). */
  folder: string;
  /** The path of the source inside the folder. */
  file: string;
  text: string;
  /** The paths inside the folder of sources that came from the server, so that somebody else may have written them. */
  pulled: ReadonlySet<string>;
};

/**
 * Returns the source as one file, which the server requires (spec SF2). A source with imports from the folder or its
 * packages is bundled with them, not minified, because people must read it to approve it; any other source stays unchanged.
 * The author of a source decides by its imports which files are read and sent, so only code inside the folder is accepted.
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
      // The sandbox has the globals of browsers and no module of Node.
      platform: 'browser',
      // Some packages list what the language has, and name `eval`, which scripts do not have, without calling it.
      define: { 'process.env.NODE_ENV': '"production"', eval: 'globalThis.eval' },
      target: 'esnext',
      external: ['backroom'],
      logLevel: 'silent',
    });
    refuseImportsOfPulled(metafile, pulled);
    return outputFiles[0]?.text ?? '';
  } catch (error) {
    throw new Failure(`${file} cannot be bundled with its imports into one file: ${reasonOf(error)}`, { cause: error });
  } finally {
    await stop();
  }
}

/** Checks each file just before esbuild reads it, so that no link, map of a package.json or pattern can lead out of the folder. */
function withinFolder(folder: string): Plugin {
  return {
    name: 'within-folder',
    setup(build) {
      build.onResolve({ filter: ADDRESS }, ({ path }) =>
        // esbuild itself refuses modules of Node and says why.
        path.startsWith('node:') ? undefined : refuse(`"${path.slice(0, 100)}" is an address`),
      );
      // Some packages try to import a module of Node to find out whether they run in Node: the import then fails at run time.
      build.onResolve({ filter: /.*/ }, ({ path, kind }) =>
        kind === 'dynamic-import' && isBuiltin(path) ? { path, namespace: ABSENT } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: ABSENT }, ({ path }) => {
        return { contents: `throw new Error(${JSON.stringify(`${path} is a module of Node, which the sandbox does not have`)});` };
      });
      build.onLoad({ filter: /.*/, namespace: 'file' }, async ({ path, with: attributes }) => {
        const real = await realpath(path).catch(() => null);
        // What a package disables for browsers may be named without the ending of its file, or be a folder: esbuild makes an empty module
        // of it, and reads no folder.
        if (real === null || (await stat(real)).isDirectory()) return undefined;
        const inside = pathInside(folder, real);
        if (inside === undefined) return refuse(`${path} lies outside the task's folder (${folder})`);
        if (isHidden(inside)) return refuse(`${inside} is hidden`);
        const isCode = CODE.includes(extname(real)) && (attributes['type'] ?? 'json') === 'json' && (await stat(real)).isFile();
        // Undefined leaves the reading to esbuild, which keeps a file empty that a package disables for browsers.
        return isCode ? undefined : refuse(`${inside} is not imported as code`);
      });
    },
  };
}

/** Whether a part of the path begins with a dot. Hidden folders below node_modules do not count: some installers use them. */
function isHidden(path: string): boolean {
  const parts = path.split(sep);
  const [first, last] = [parts.indexOf(PACKAGES), parts.lastIndexOf(PACKAGES)];
  return parts.some((part, at) => part.startsWith('.') && (at < first || at > last));
}

function refuse(problem: string): { errors: PartialMessage[] } {
  const accepted = `accepted are ${CODE.join(', ')} of the task's folder and its ${PACKAGES}`;
  return { errors: [{ text: `${problem}; ${accepted}` }] };
}

/** Throws where a source that came from the server imports a file of the folder: its author must not get at the content of that file. */
function refuseImportsOfPulled({ inputs }: Metafile, pulled: ReadonlySet<string>): void {
  for (const [file, { imports }] of Object.entries(inputs)) {
    if (!pulled.has(file)) continue;
    // An external import ('backroom') is not replaced by a file, unless its path is a pattern.
    const other = imports.find(({ path, external }) => (external ? path.includes('*') : !isOfPackage(path)));
    if (!other) continue;
    const what = `${file} came from the server and imports "${other.original ?? other.path}"`;
    throw new Failure(`${what}: a source from the server may import packages only; put the code that it needs into the source itself`);
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
  const errors = BuildErrors.safeParse(error).data?.errors;
  if (!errors) return String(error);
  return errors.map(({ text, location }) => `${location ? `${location.file}:${location.line}: ` : ''}${text}${hintFor(text)}`).join('; ');
}

function hintFor(text: string): string {
  const missing = /^Could not resolve "([^"]+)"$/.exec(text)?.[1];
  if (missing === undefined || !isBuiltin(missing)) return '';
  return ', a module of Node, which the sandbox does not have; a package of that name for browsers can be installed';
}
