/**
 * `node ops/healthy.js PORT [PATH]`: ends with 0 if this machine answers `GET PATH` (default: /readyz) with 200, else with 1 and says why.
 * It is the health check of containers, which have no other program that asks; JavaScript, because an image has no sources.
 */

const ANSWER_WITHIN_MS = 3000;

const [port = '', path = '/readyz'] = process.argv.slice(2);
const url = `http://127.0.0.1:${port}${path}`;
try {
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  await answer.body?.cancel();
  if (!answer.ok) fail(`${url} answered ${answer.status}`);
} catch (error) {
  fail(`${url} does not answer: ${error instanceof Error ? error.message : error}`);
}

/** @param {string} why */
function fail(why) {
  process.stderr.write(`${why}\n`);
  process.exitCode = 1;
}
