import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { nameOf, PROGRAMS, ROOT, sources, WORKER } from '../ops/built-app.js';
import { bundlePrelude, bundleWorker, stopBundling } from '../runner/bundling.ts';
import { snapshotName, snapshotOf } from '../runner/prelude.ts';

/**
 * Packages with native code, or that look for files beside their own; and those that are loaded only when they are needed, because a
 * package in CommonJS that is bundled for `import()` has no named exports.
 */
const NOT_BUNDLED = [
  ...['better-sqlite3', 'isolated-vm', 'esbuild', 'pg-native'],
  ...['undici', 'openai', '@anthropic-ai/sdk', 'stripe', 'oidc-provider', '@easypost/api', '@aws-sdk/client-s3', '@opentelemetry/*'],
];

/**
 * Builds the programs and threads of the project into the folder, which is made: each into one file, and what several share into others.
 * Resolves with the files of others that are in them.
 */
export async function bundleApp(part: string): Promise<string[]> {
  await mkdir(part, { recursive: true });
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
    plugins: [readyBundles, inPlace, withoutUnused, ownFonts],
    logLevel: 'silent',
  });
  checkInputs(Object.keys(metafile.inputs));
  checkLoadedLater(Object.values(metafile.outputs));
  await writeFile(join(part, 'package.json'), '{"type":"module"}\n');
  await copyFile(fileURLToPath(import.meta.resolve(FONT)), join(part, posix.basename(FONT)));
  const prelude = await bundlePrelude();
  await writeFile(join(part, PRELUDE), prelude);
  // Elsewhere another Node may run it, and make its own at the first start.
  await writeFile(join(part, snapshotName(prelude)), await snapshotOf(prelude));
  const worker = await bundleWorker(join(ROOT, `${WORKER}.ts`));
  await writeFile(join(part, `${nameOf(WORKER)}.js`), worker);
  await stopBundling();
  // Where nothing is minified, a comment stands before what came from each file.
  const inGuests = `${prelude}\n${worker}`.matchAll(/^ *\/\/ (node_modules\/\S+)$/gm);
  return [...Object.keys(metafile.inputs), fileURLToPath(import.meta.resolve(FONT)), ...[...inGuests].map(([, path = '']) => path)];
}

/** A file that is not among the sources could change without a new build. */
function checkInputs(inputs: readonly string[]): void {
  const known = new Set(sources());
  const unknown = inputs.filter((path) => !path.includes('node_modules/') && !path.startsWith('unused:') && !known.has(path));
  if (unknown.length > 0) throw new Error(`the build reads ${unknown.join(', ')}, and ops/built-app.js does not list its folder`);
}

/** Packages that `import()` loads and that are bundled all the same: they are modules. */
const LOADED_LATER = /node_modules\/(nodemailer\/dist\/esm|pdfkit|fontkit|@simplewebauthn\/server\/esm)\/.*\.(mjs|js)$/;

/** Any other package that `import()` loads must stay outside; see NOT_BUNDLED. */
function checkLoadedLater(outputs: readonly { entryPoint?: string }[]): void {
  const bundled = outputs.flatMap(({ entryPoint = '' }) =>
    entryPoint.includes('node_modules/') && !LOADED_LATER.test(entryPoint) ? entryPoint : [],
  );
  if (bundled.length > 0) throw new Error(`import() loads ${bundled.join(', ')}: add the package to NOT_BUNDLED`);
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
        return [...PROGRAMS, WORKER].includes(program) ? `new URL('./${nameOf(program)}.js', import.meta.BUILT)` : whole;
      });
      if (source.endsWith('label-fonts.ts') && !text.includes(FONT)) throw new Error(`${source} does not name the font that the build has`);
      const found = text
        .replace(`import.meta.resolve('${FONT}')`, `new URL('./${posix.basename(FONT)}', import.meta.BUILT)`)
        .replaceAll(/\bcreateRequire\(import\.meta\.url\)\('/g, "require('");
      const here = `new URL(${JSON.stringify(`../../../${source}`)}, import.meta.url).href`;
      return { contents: found.replaceAll('import.meta.url', here).replaceAll('import.meta.BUILT', 'import.meta.url'), loader: 'ts' };
    });
  },
};

/** The font of labels, one file of a package of forty. */
const FONT = '@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff';

/** pdfkit looks for its fonts at run time, by the names of its own package. */
const ownFonts: Plugin = {
  name: 'own-fonts',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]pdfkit\.node\.mjs$/ }, async ({ path }) => {
      const contents = (await readFile(path, 'utf8')).replaceAll("require$1('#standard-fonts/", "require('#standard-fonts/");
      return { contents, loader: 'js' };
    });
  },
};

const PRELUDE = 'prelude.txt';

/** In the build, the runner reads what is made here for its workers, instead of making it at each start. */
const readyBundles: Plugin = {
  name: 'ready-bundles',
  setup({ onLoad }) {
    const bundling = join(ROOT, 'runner/bundling.ts');
    const contents = `
      import { readFile } from 'node:fs/promises';
      import { fileURLToPath } from 'node:url';
      export const CACHE = fileURLToPath(new URL('.', import.meta.url));
      export const bundlePrelude = () => readFile(new URL('./${PRELUDE}', import.meta.url), 'utf8');
      export const bundleWorker = () => readFile(new URL('./${nameOf(WORKER)}.js', import.meta.url), 'utf8');
      export const stopBundling = () => Promise.resolve();`;
    onLoad({ filter: /\.ts$/ }, ({ path }) => (path === bundling ? { contents, loader: 'js' } : undefined));
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
