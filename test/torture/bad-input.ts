import { parseArgs } from 'node:util';
import * as corpora from './bad-input/corpora.ts';
import { fireBodies, fireForms, fireMalformed, fireQueries, fireStrings, takeAim } from './bad-input/endpoints.ts';
import { fireDeletes, fireHeaders, fireOutside, firePaths } from './bad-input/paths.ts';
import { openTarget } from './bad-input/shop.ts';

const USAGE = `npm run bad-input -- [--only PART] FOLDER

Sends malformed and hostile input to every endpoint of a server. FOLDER holds the corpora json-test-suite, json-proto,
query-strings, auth-bearer, blns, http-llhttp and multipart. The server is started on a new SQLite file, or on the empty
database of DATABASE_URL.`;

const { positionals, values } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
const [folder, ...rest] = positionals;
if (folder === undefined || rest.length > 0) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}

const target = await openTarget(folder, process.env['DATABASE_URL']);
const aims = await takeAim(target);
// This comes after the aims, because finding them revokes versions and changes the approval policy.
const fixture = await corpora.prepareFixture(target);
const strings = await corpora.naughtyStrings(target);
/** All endpoints parse JSON alike, so each endpoint gets only every eighth case; together they get all cases. */
const STRIDE = 8;

const parts: Record<string, () => Promise<number>> = {
  'json-test-suite': () => corpora.jsonTestSuite(target, fixture),
  'json-proto': () => corpora.jsonProto(target, fixture),
  'auth-bearer': () => corpora.authBearer(target),
  blns: () => corpora.blns(target, fixture),
  'http-llhttp': () => corpora.rawHttp(target, fixture),
  'every query': async () => fireQueries(target, aims, await corpora.queryStrings(target)),
  'every path': () => firePaths(target, aims),
  'every header': () => fireHeaders(target, aims),
  'every body': () => fireBodies(target, aims),
  'every text': () => fireStrings(target, aims, strings, STRIDE),
  'malformed JSON': async () => fireMalformed(target, aims, await corpora.malformedJson(target), STRIDE),
  multipart: async () => fireForms(target, aims, await corpora.forms(target)),
  outside: () => fireOutside(target, strings),
  'every DELETE': () => fireDeletes(target, aims),
};
if (values.only !== undefined && !(values.only in parts)) {
  process.stderr.write(`--only takes one of: ${Object.keys(parts).join(', ')}\n`);
  process.exit(2);
}

const withBody = aims.filter(({ endpoint }) => endpoint.body);
const unaccepted = withBody.filter(({ accepted }) => !accepted).map(({ endpoint }) => endpoint.id);
process.stdout.write(
  `${aims.length} endpoints, ${withBody.length} with a body; endpoints without an accepted body: ${unaccepted.join(', ') || 'none'}\n`,
);
for (const [name, part] of Object.entries(parts)) {
  if (values.only !== undefined && values.only !== name) continue;
  const before = { requests: target.sent(), failed: target.failures.length, at: performance.now() };
  target.statuses.clear();
  const cases = await part();
  const { status } = await target.send({ method: 'GET', path: '/healthz' });
  target.check(status === 200, `${name}: the server no longer answers`);
  const columns = [
    name.padEnd(16),
    `${String(cases).padStart(6)} cases`,
    `${String(target.sent() - before.requests).padStart(6)} requests`,
    `${((performance.now() - before.at) / 1000).toFixed(1).padStart(6)} s`,
    `${target.failures.length - before.failed} failed`,
    [...target.statuses]
      .sort()
      .map(([code, count]) => `${code}: ${count}`)
      .join(' '),
  ];
  process.stdout.write(`${columns.join('  ')}\n`);
}
await target.close();
for (const failure of target.failures.slice(0, 50)) process.stdout.write(`  ✖ ${failure}\n`);
process.stdout.write(
  target.failures.length === 0 ? 'No server error, no hang, no half-written row.\n' : `${target.failures.length} failures\n`,
);
process.exitCode = target.failures.length === 0 ? 0 : 1;
