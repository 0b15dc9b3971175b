import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { BUILDS, builtFolder, nameOf, PROGRAMS, ROOT, sources, stampOfSources } from '../ops/built-app.js';
import { bundlePrelude, bundleWorker, stopBundling } from '../runner/bundling.ts';
import { snapshotOf } from '../runner/prelude.ts';

/** How many builds are kept: a server that still runs loads the rarely used files of the build that it was started from. */
const KEPT = 3;
/**
 * Packages with native code, or that look for files beside their own; and those that are loaded only when they are needed, because a
 * package in CommonJS that is bundled for `import()` has no named exports.
 */
const NOT_BUNDLED = [
  ...['better-sqlite3', 'isolated-vm', 'esbuild', 'pg-native'],
  ...[
    'undici',
    'nodemailer',
    'openai',
    '@anthropic-ai/sdk',
    'stripe',
    'pdfkit',
    'fontkit',
    'oidc-provider',
    '@easypost/api',
    '@aws-sdk/client-s3',
    '@opentelemetry/*',
  ],
];

async function buildApp(): Promise<void> {
  const stamp = stampOfSources();
  const part = join(BUILDS, `.part-${process.pid}`);
  await mkdir(part, { recursive: true });
  try {
    const { metafile } = await build({
      entryPoints: Object.fromEntries(PROGRAMS.map((program) => [nameOf(program), join(ROOT, `${program}.ts`)])),
      absWorkingDir: ROOT,
      outdir: part,
      bundle: true,
      metafile: true,
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: 'node26',
      tsconfigRaw: {},
      external: NOT_BUNDLED,
      legalComments: 'none',
      // V8 keeps the text of each file in memory, with two bytes for a character where one of them, in a comment, is not Latin.
      minifyWhitespace: true,
      minifySyntax: true,
      // An uncaught error shows its line.
      lineLimit: 200,
      // Packages in CommonJS call `require`, which modules do not have.
      banner: { js: "import { createRequire as createOwnRequire } from 'node:module'; const require = createOwnRequire(import.meta.url);" },
      plugins: [readyBundles, inPlace, withoutUnused],
      logLevel: 'silent',
    });
    checkInputs(Object.keys(metafile.inputs));
    checkLoadedLater(Object.values(metafile.outputs));
    await writeFile(join(part, 'package.json'), '{"type":"module"}\n');
    await writeFile(join(part, 'prelude.snapshot'), await snapshotOf(await bundlePrelude()));
    await writeFile(join(part, 'worker.txt'), await bundleWorker(join(ROOT, 'runner/worker/main.ts')));
    // Another process may have made the same build meanwhile.
    await rename(part, join(BUILDS, stamp)).catch(async (error: unknown) => {
      if (builtFolder() === null) throw error;
    });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  await removeOld();
}

/** A file that is not among the sources could change without a new build. */
function checkInputs(inputs: readonly string[]): void {
  const known = new Set(sources());
  const unknown = inputs.filter((path) => !path.includes('node_modules/') && !path.startsWith('unused:') && !known.has(path));
  if (unknown.length > 0) throw new Error(`the build reads ${unknown.join(', ')}, and ops/built-app.js does not list its folder`);
}

/** A package that `import()` loads must stay outside; see NOT_BUNDLED. */
function checkLoadedLater(outputs: readonly { entryPoint?: string }[]): void {
  const bundled = outputs.flatMap(({ entryPoint }) => (entryPoint?.includes('node_modules/') ? entryPoint : []));
  if (bundled.length > 0) throw new Error(`import() loads ${bundled.join(', ')}: add the package to NOT_BUNDLED`);
}

async function removeOld(): Promise<void> {
  const builds = (await readdir(BUILDS)).filter((name) => !name.startsWith('.'));
  const aged = await Promise.all(builds.map(async (name) => ({ name, at: (await stat(join(BUILDS, name))).mtimeMs })));
  const old = aged.sort((a, b) => b.at - a.at).slice(KEPT);
  await Promise.all(old.map(({ name }) => rm(join(BUILDS, name), { recursive: true, force: true })));
}

const OWN_URL = /new URL\('(\.{1,2}\/[^']+)\.ts', import\.meta\.url\)/g;

/**
 * The modules find files beside them by `import.meta.url`. In the build this is the address of their source, except where they
 * start a program or thread that the build has.
 */
const inPlace: Plugin = {
  name: 'in-place',
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|js)$/ }, async ({ path }) => {
      const source = relative(ROOT, path);
      if (source.includes('node_modules')) return undefined;
      const own = await readFile(path, 'utf8');
      if (/import\.meta\.(dirname|filename)/.test(own)) throw new Error(`${source} must find its folder by import.meta.url`);
      const text = own.replace(OWN_URL, (whole, target: string) => {
        const program = posix.join(dirname(source), target);
        return PROGRAMS.includes(program) ? `new URL('./${nameOf(program)}.js', import.meta.BUILT)` : whole;
      });
      const here = `new URL(${JSON.stringify(`../../../${source}`)}, import.meta.url).href`;
      return { contents: text.replaceAll('import.meta.url', here).replaceAll('import.meta.BUILT', 'import.meta.url'), loader: 'ts' };
    });
  },
};

/** In the build, the runner reads what is made here for its workers, instead of making it at each start. */
const READY = {
  bundling: `
    import { readFile } from 'node:fs/promises';
    export const bundleWorker = () => readFile(new URL('./worker.txt', import.meta.url), 'utf8');
    export const stopBundling = () => Promise.resolve();`,
  prelude: `
    import { fileURLToPath } from 'node:url';
    export const preludeFile = () => Promise.resolve(fileURLToPath(new URL('./prelude.snapshot', import.meta.url)));`,
};

const readyBundles: Plugin = {
  name: 'ready-bundles',
  setup({ onLoad }) {
    for (const [name, contents] of Object.entries(READY)) {
      const path = join(ROOT, `runner/${name}.ts`);
      onLoad({ filter: /\.ts$/ }, (file) => (file.path === path ? { contents, loader: 'js' } : undefined));
    }
  },
};

/** What packages load that the project does not use: a tenth of the memory of a server at rest, and a third of a runner's. */
const UNUSED: readonly { of: RegExp; module: RegExp; instead: string }[] = [
  // An `import` reads each export of node:http, and its WebSocket loads the whole of Node's own `fetch`.
  { of: /./, module: /^(node:)?http$/, instead: "module.exports = process.getBuiltinModule('node:http');" },
  // Of Undici a runner uses the pool. runner/server-client.ts does without HTTP/2.
  {
    of: /[/\\]runner[/\\]/,
    module: /^undici$/,
    instead: `
      Object.assign(require('./node_modules/undici/lib/dispatcher/dispatcher.js').prototype, require('./node_modules/undici/lib/api/index.js'));
      exports.Pool = require('./node_modules/undici/lib/dispatcher/pool.js');
      exports.errors = require('./node_modules/undici/lib/core/errors.js');
    `,
  },
  { of: /[/\\]undici[/\\]/, module: /^node:http2$/, instead: 'exports.constants = {};' },
  // Traces in metrics (exemplars), which are not switched on.
  { of: /[/\\]prom-client[/\\]/, module: /^@opentelemetry\/api$/, instead: '' },
  // Messages in fifty languages.
  { of: /[/\\]zod[/\\]/, module: /locales\/index\.js$/, instead: "exports.en = require('zod/v4/locales/en.js').default;" },
];

/** Loads less in place of what is not used. */
const withoutUnused: Plugin = {
  name: 'without-unused',
  setup({ onResolve, onLoad }) {
    for (const [n, { of, module, instead }] of UNUSED.entries()) {
      // A `require` of node:http reads no more than it uses.
      onResolve({ filter: module }, ({ kind, importer }) =>
        of.test(importer) && !(kind === 'require-call' && n === 0) ? { path: String(n), namespace: 'unused' } : undefined,
      );
      onLoad({ filter: new RegExp(`^${n}$`), namespace: 'unused' }, () => ({ contents: instead, loader: 'js', resolveDir: ROOT }));
    }
  },
};

/** `npm run build:app`: builds the server, the runner and their threads, each into one file (run.js runs them). */
if (builtFolder() === null) await buildApp();
await stopBundling();
