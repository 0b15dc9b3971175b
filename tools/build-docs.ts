import { buildDocs } from '../site/build/build.ts';

/** `npm run build:docs`: builds the documentation into `dist/docs`, and prints how large it is. `--if-changed`: unless it was built of the same already. */

const built = await buildDocs({ onlyChanged: process.argv.includes('--if-changed') });
if (built !== null) {
  const { pages, bytes, seconds } = built;
  process.stdout.write(`${pages} pages, ${(bytes / 1_000_000).toFixed(2)} MB, in ${seconds.toFixed(1)} s\n`);
}
