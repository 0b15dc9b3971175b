import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';
import { operations } from '../client/operations.ts';

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The client as one file for Node, browsers and Deno; it has the table of operations as data. Resolves with the files that are in it. */
export async function bundleClient(outfile: string): Promise<string[]> {
  const table = at('client/operations.ts');
  const { metafile } = await build({
    metafile: true,
    entryPoints: [at('client/index.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    tsconfigRaw: {},
    logLevel: 'silent',
    plugins: [
      {
        name: 'operations',
        setup({ onLoad }) {
          const contents = `export const operations = ${JSON.stringify(operations)};`;
          onLoad({ filter: /operations\.ts$/ }, ({ path }) => (path === table ? { contents, loader: 'js' } : undefined));
        },
      },
    ],
  });
  await stop();
  return Object.keys(metafile.inputs);
}
