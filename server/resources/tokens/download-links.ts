import type { Services } from '../../services.ts';
import type { Actor, Ctx } from '../../verbs/context.ts';
import type { FileAnswer } from '../../verbs/file-answer.ts';
import { Refusal } from '../../verbs/problem.ts';
import { authenticateMaker } from './domain.ts';
import { makeLink } from './one-time-links.ts';
import * as links from './one-time-links-store.ts';
import { hashToken } from './secret.ts';

const LIFETIME_MS = 5 * 60_000;

/** Makes a link by which a browser downloads one file, because it cannot send a token with a plain link. */
export async function createDownloadLink(ctx: Ctx, path: string) {
  await ctx.checkContent(path);
  const { code, expires_at } = await makeLink(ctx, {
    target: path,
    lifetimeMs: LIFETIME_MS,
    what: `Download link for ${path.split('?', 1)[0]}`,
  });
  return { url: `/downloads/once/${code}`, expires_at };
}

type Opening = {
  code: string;
  /** Whether the content is fetched, and not its headers alone. */
  isTaken: boolean;
  open(actor: Actor, path: string): Promise<FileAnswer>;
};

/**
 * Opens the file of a link with the present rights of the token that made it. A link whose file cannot be read now is not used up; one that
 * began to send its file is.
 */
export async function openDownloadLink({ store }: Services, { code, isTaken, open }: Opening): Promise<FileAnswer> {
  const now = new Date().toISOString();
  const link = await links.selectDownloadLink(store.reader, hashToken(code));
  if (!link) throw new Refusal('not_found', 'There is no such download.');
  if (link.used_at !== null) throw ended('exhausted', 'This link was used; it works once.');
  if (link.expires_at <= now) throw ended('expired', `This link expired at ${link.expires_at}.`);
  const maker = await authenticateMaker(store.reader, link.token_id, now);
  if (maker.outcome !== 'ok' || maker.actor.type !== 'admin') throw ended('revoked', 'The token that made this link is no longer valid.');
  const answer = await open(maker.actor, link.target);
  if (isTaken && !(await store.write((db) => links.useLink(db, link.id, now)))) {
    await answer.content.close();
    throw ended('exhausted', 'This link was used; it works once.');
  }
  return answer;
}

function ended(reason: string, detail: string): Refusal {
  return new Refusal('download_ended', `${detail} Ask for another one.`, { extra: { reason } });
}
