import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite';
import { operationTable } from '../contract/client.ts';
import { events } from '../contract/events.ts';
import { taskPermissions } from '../contract/permissions.ts';
import { defaultLimits } from '../contract/runner.ts';
import { taskCalls } from '../contract/task-calls.ts';
import { RetriedReason } from '../contract/tasks.ts';
import { listPackages } from '../tools/bundled-packages.ts';
import { scriptTypes } from '../tools/console-types.ts';
import { scriptReference } from '../tools/script-reference.ts';

const start = fileURLToPath(new URL('start.tsx', import.meta.url));
const outDir = fileURLToPath(new URL('../dist/console', import.meta.url));

/** What the console knows of the contract at run time, as data, so that the browser loads no schema. */
const facts: Record<string, () => unknown> = {
  'virtual:operations': operationTable,
  'virtual:script-types': scriptTypes,
  'virtual:script-reference': scriptReference,
  'virtual:task-facts': () => ({
    permissions: taskPermissions,
    limits: defaultLimits,
    retried: RetriedReason.options,
    needs: taskCalls(),
    eventFields: Object.fromEntries(Object.entries(events).map(([type, { data }]) => [type, Object.keys(data.shape)])),
  }),
};

function contractFacts(): Plugin {
  return {
    name: 'contract-facts',
    resolveId: (id) => (Object.hasOwn(facts, id) ? `\0${id}` : undefined),
    load: (id) => {
      const make = id.startsWith('\0') ? facts[id.slice(1)] : undefined;
      return make ? `export default ${JSON.stringify(make())}` : undefined;
    },
  };
}

const LAYERS = '@layer tokens, base, parts, pages;';

/**
 * Begins each style sheet with the order of the layers. The build leaves that statement out where a sheet has its layers in order, but
 * a page loads several sheets, and the first one would then decide.
 */
function layers(): Plugin {
  return {
    name: 'layers',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = `${LAYERS}${String(file.source)}`;
      }
    },
  };
}

/** Of the editor's TypeScript, the last few per cent would take longer than all the rest of the build. */
const LARGE_BYTES = 1_000_000;

/** Writes `.br` and `.gz` beside each text file, so that the server compresses nothing while it serves. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    closeBundle(error) {
      // After a failed build there is nothing to compress, and an error about that would hide why it failed.
      if (error) return;
      for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
        const file = join(outDir, name);
        if (!/\.(js|css|html|svg)$/.test(name) || !statSync(file).isFile()) continue;
        const bytes = readFileSync(file);
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
        const quality = bytes.length > LARGE_BYTES ? 9 : 11;
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }));
      }
    },
  };
}

const OF_TASKS = /\/console\/(features\/tasks|parts\/assistant)\/|\/texts\/(tasks|editor|examples|assistant)\.ts$|\/node_modules\/diff\//;

/** What imports nothing but the language, so that no two files wait for each other: a page would stay empty. */
const OF_FACTS =
  /virtual:task-facts|\/texts\/(approvals|decisions|permissions|run-parts|runs|undo|kinds|settings|empty|mail|order|orders)\.ts$/;

/** What lists are made of: their table, views, columns and selection. */
const OF_LISTS = /\/console\/(parts\/(list\/|list-page\.|new-rows\.)|ui\/(table|list|toolbar)\.|texts\/list-acts\.)/;

type Modules = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

/** What the texts of a language import is a file of its own, so that they do not load the start page before they are there. */
const OF_LANGUAGE = /\/console\/language\/|vite\/preload-helper/;

/** Which modules the start page loads. */
function startModules(): (id: string, modules: Modules) => boolean {
  const first = new Set<string>();
  const follow = (id: string, modules: Modules): void => {
    if (first.has(id)) return;
    first.add(id);
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) follow(imported, modules);
  };
  return (id, modules) => {
    follow(start, modules);
    return first.has(id);
  };
}
const isFirst = startModules();

/**
 * What the start page loads is one file, and so are modules that several pages import, `common`: the bundler would make many files of about
 * a kilobyte, and a browser asks for six at a time. What the pages of tasks alone share is another file, `tasks`, and what lists are made of
 * `lists`; `facts` are catalogues and texts.
 */
const GROUPS = [
  { name: 'lezer', test: /\/node_modules\/@lezer\// },
  // The start page uses other parts of the package, whose index names all of them; menus look whether they are in a combobox.
  { name: 'combobox', test: /\/node_modules\/@ariakit\/.*\/combobox\/combobox(?!-context)/ },
  { name: 'passkeys', test: /\/node_modules\/@simplewebauthn\/|\/console\/(api\/(passkeys|cookie-session)|texts\/passkeys)\.ts$/ },
  { name: 'marks', test: /\/contract\/(source-marks|lookalike-words|lookalikes|source-text)\.ts$/ },
  {
    name: (id: string, modules: Modules) => (OF_LANGUAGE.test(id) ? 'language' : id !== start && isFirst(id, modules) ? 'first' : null),
  },
  {
    name: (id: string) => (OF_LISTS.test(id) ? 'lists' : OF_TASKS.test(id) ? 'tasks' : OF_FACTS.test(id) ? 'facts' : 'common'),
    minShareCount: 4,
  },
];

/** Has the browser load the start page together with the few lines that choose its language. */
function startAhead(): Plugin {
  return {
    name: 'start-ahead',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const files = new Set<string>();
        const styles = new Set<string>();
        const follow = (name: string): void => {
          const chunk = chunks.find(({ fileName }) => fileName === name);
          if (!chunk || files.has(name)) return;
          files.add(name);
          for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style);
          chunk.imports.forEach(follow);
        };
        follow(chunks.find(({ facadeModuleId }) => facadeModuleId === start)?.fileName ?? '');
        const link = (rel: string, name: string): HtmlTagDescriptor => ({
          tag: 'link',
          attrs: { rel, crossorigin: true, href: `/${name}` },
        });
        return [...[...files].map((name) => link('modulepreload', name)), ...[...styles].map((name) => link('stylesheet', name))];
      },
    },
  };
}

const packages = listPackages();

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), contractFacts(), layers(), startAhead(), packages.build, precompress()],
  worker: { format: 'es', plugins: () => [contractFacts(), packages.worker] },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2024',
    // Small images and fonts as data URLs would be refused by the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The editor's worker is larger than that, and is loaded with the editor alone.
    chunkSizeWarningLimit: 4000,
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: GROUPS,
        },
      },
    },
  },
});
