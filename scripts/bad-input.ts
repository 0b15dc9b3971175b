import { parseArgs } from 'node:util';
import * as corpora from './bad-input/corpora.ts';
import { fireBodies, fireForms, fireMalformed, fireQueries, fireStrings, takeAim } from './bad-input/endpoints.ts';
import { fireDeletes, fireHeaders, fireOutside, firePaths } from './bad-input/paths.ts';
import { openTarget } from './bad-input/shop.ts';

const USAGE = `npm run bad-input -- [--only PART] FOLDER

FOLDER holds json-test-suite, json-proto, query-strings, auth-bearer, blns, http-llhttp and multipart. The server is a
fresh one on SQLite, or on the empty database of DATABASE_URL.`;

const { positionals, values } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
const [folder, ...rest] = positionals;
if (folder === undefined || rest.length > 0) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}

const target = await openTarget(folder, process.env['DATABASE_URL']);
const aims = await takeAim(target);
// After the aims, which revoke versions and change the policy of their approval.
const ground = await corpora.prepareGround(target);
const strings = await corpora.naughtyStrings(target);
/** Malformed JSON is the same to every endpoint: each gets every so-manieth. */
const STRIDE = 8;

const parts: Record<string, () => Promise<number>> = {
  'json-test-suite': () => corpora.jsonTestSuite(target, ground),
  'json-proto': () => corpora.jsonProto(target, ground),
  'auth-bearer': () => corpora.authBearer(target),
  blns: () => corpora.blns(target, ground),
  'http-llhttp': () => corpora.rawHttp(target, ground),
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
  `${aims.length} endpoints, ${withBody.length} with a body; no accepted one was found for ${unaccepted.join(', ') || 'none'}\n`,
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
