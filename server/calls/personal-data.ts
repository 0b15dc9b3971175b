import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type Mask, readsAboutPeople, withoutPersonalData } from '../../contract/personal-data.ts';
import { type Actor, isBlind } from '../verbs/context.ts';
import { jsonIn } from '../verbs/list-pages.ts';
import { Refusal, refuseParameter } from '../verbs/problem.ts';
import type { Answer, Call } from './call.ts';

/** What agents that may not see personal data, and the runs that they start, get of answers (spec MC4). */

/** The answer as its caller may see it. */
export function shownTo({ actor, endpoint, search }: Pick<Call, 'actor' | 'endpoint' | 'search'>, answer: Answer): Answer {
  const mask = maskFor(actor);
  if (mask === null || answer.body === null) return answer;
  refuseTellingQuery(endpoint, search);
  const body: unknown = JSON.parse(answer.body);
  const shown = withoutPersonalData(endpoint, body, mask);
  refuseTellingCursor(body);
  return { ...answer, body: JSON.stringify(shown) };
}

/** Refuses the content of a file that may be about people. */
export function refuseHiddenContent({ actor, endpoint }: Pick<Call, 'actor' | 'endpoint'>): void {
  if (maskFor(actor) === null) return;
  const { permission, taskPermission = permission } = endpoint;
  if (permission?.startsWith('admin_api.') && !readsAboutPeople(permission) && permission === taskPermission) return;
  throw new Refusal('forbidden', `${endpoint.id} may show personal data, which is hidden from this agent.`);
}

function maskFor(actor: Actor): Mask | null {
  if (actor.type === 'task') return actor.hidesPeople ? pseudonyms(actor.hidesPeople.key) : null;
  return isBlind(actor) ? () => 'hidden' : null;
}

/** Equal texts stay equal within a run, so a script can compare and count them; e-mail addresses stay addresses, of nobody. */
function pseudonyms(key: string): Mask {
  return (text, field) => {
    const name = `hidden-${createHmac('sha256', `people ${key}`).update(text).digest('hex').slice(0, 10)}`;
    return field.endsWith('email') || field === 'to_address' ? `${name}@example.invalid` : name;
  };
}

const SORTS_BY_TEXT = /(name|email|title|subject)$/;

/** What a search finds, and where a record stands in a list that is sorted by a text, spells the text letter by letter. */
function refuseTellingQuery({ id, permission, taskPermission = permission }: Endpoint, search: URLSearchParams): void {
  if (!readsAboutPeople(permission) && !readsAboutPeople(taskPermission)) return;
  const telling = [...search].find(([name, value]) => name === 'search' || name === 'q' || (name === 'sort' && SORTS_BY_TEXT.test(value)));
  if (!telling) return;
  const [name] = telling;
  throw refuseParameter('invalid_value', name, `would tell texts that are hidden from this agent; ${id} takes ids, dates and status here`);
}

const Cursor = z.object({ next_cursor: z.string() });
const Position = z.tuple([z.string(), z.string()]).rest(z.unknown());

/** A cursor holds the text by which its list is sorted. */
function refuseTellingCursor(body: unknown): void {
  const page = Cursor.safeParse(body);
  const position = Position.safeParse(page.success ? jsonIn(page.data.next_cursor) : undefined);
  if (!position.success || position.data[0] === 'changes' || Number.isFinite(Date.parse(position.data[1]))) return;
  throw new Refusal(
    'forbidden',
    `The list is sorted by ${position.data[0].replace(/^-/, '')}, which is hidden from this agent; sort it by another field, such as -created_at.`,
  );
}
