import type { Endpoint } from '../../contract/endpoint.ts';
import { isWrite, readsRecord } from '../../contract/endpoint.ts';
import { errorCodes, Problem } from '../../contract/errors.ts';
import { Fault } from './fault.ts';
import type { Answer, Sent } from './session.ts';

/**
 * What is true of every answer. Whether the document declares its status, headers and body is checked by the watch of the server
 * (test/helpers/seen-answers.ts).
 */
export function checkAnswer(endpoint: Endpoint, sent: Sent, answer: Answer): void {
  const { status } = answer;
  if (status >= 400) checkProblem(endpoint, sent, answer);
  else if (status !== 304) checkSuccess(endpoint, answer);
  else if (!readsRecord(endpoint)) throw new Fault(`${endpoint.id}: 304 of what is no record`);
}

function checkSuccess(endpoint: Endpoint, { status, headers }: Answer): void {
  if (status !== endpoint.status && !(endpoint.sse?.ends && status === 204))
    throw new Fault(`${endpoint.id}: ${status}, declared is ${endpoint.status}`);
  if (readsRecord(endpoint) && endpoint.binary !== true && headers['etag'] === undefined)
    throw new Fault(`${endpoint.id}: a record without an ETag`);
  if (isWrite(endpoint) && endpoint.location !== undefined && headers['location'] === undefined) {
    throw new Fault(`${endpoint.id}: a new record without a Location`);
  }
}

/** The only failures that the document promises to be passing: a busy service, and another system that does not answer. */
function checkProblem(endpoint: Endpoint, sent: Sent, { status, headers, body }: Answer): void {
  const { success, data: problem, error } = Problem.safeParse(body);
  if (!success) throw new Fault(`${endpoint.id}: ${status} with a body that is no problem: ${error.message}`);
  const declared = isErrorCode(problem.code) ? errorCodes[problem.code] : undefined;
  const isPassing = problem.code === 'busy' || (status === 502 && endpoint.refusals?.includes(problem.code) === true);
  if (status >= 500 && !isPassing) throw new Fault(`${endpoint.id}: ${status} ${problem.code}: ${problem.detail}`);
  const told = `${endpoint.id}: ${status} ${JSON.stringify(problem).slice(0, 1000)}`;
  if (!declared) throw new Fault(`${told}: the code is not in the catalogue`);
  if (declared[0] !== status || problem.status !== status) throw new Fault(`${told}: the code has the status ${declared[0]}`);
  if (problem.title !== declared[1]) throw new Fault(`${told}: the title is not that of the code`);
  if (problem.detail === '') throw new Fault(`${told}: it does not say what was wrong`);
  // The answer to a call of a run is kept with what the first request was.
  if (headers['idempotency-replayed'] === undefined) {
    if (problem.request_id !== headers['x-request-id']) throw new Fault(`${told}: it names another request`);
    const path = `/admin/api${sent.path.split('?')[0]}`;
    if (isPlain(path) && problem.instance.split('?')[0] !== path) throw new Fault(`${told}: it names another path`);
  }
  for (const { code, pointer, parameter, detail } of problem.errors ?? []) {
    if (!isErrorCode(code)) throw new Fault(`${told}: the code ${code} is not in the catalogue`);
    if ((pointer === null) === (parameter === null)) throw new Fault(`${told}: an error is in the body or in the query`);
    if (pointer !== null && pointer !== '' && !pointer.startsWith('/')) throw new Fault(`${told}: ${pointer} is no JSON pointer`);
    if (detail === '') throw new Fault(`${told}: an error does not say what was wrong`);
  }
}

function isErrorCode(code: string): code is keyof typeof errorCodes {
  return Object.hasOwn(errorCodes, code);
}

/** Whether a path means what it says: it has no escapes and no dots. */
function isPlain(path: string): boolean {
  return !/[%.]/.test(path);
}
