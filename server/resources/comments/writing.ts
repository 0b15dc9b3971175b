import { mentionedIn } from '../../../contract/comments.ts';
import { actingAdmin, type Ctx } from '../../verbs/context.ts';
import { Refusal } from '../../verbs/problem.ts';
import { notifyMentioned, refuseUnknownAdmins } from '../notifications/messages.ts';

/** What comments on orders and notes on customers have in common. */

/** The columns that say who writes. */
export function authorOf(ctx: Pick<Ctx, 'actor'>): { author_id: number; author: string; run_id: number | null } {
  const { adminId, name } = actingAdmin(ctx);
  return { author_id: adminId, author: name, run_id: ctx.actor.type === 'task' ? ctx.actor.runId : null };
}

export function isAuthor(ctx: Pick<Ctx, 'actor'>, { author_id }: { author_id: number | null }): boolean {
  return author_id === actingAdmin(ctx).adminId;
}

export function refuseOther(): never {
  throw new Refusal('forbidden', 'Only who wrote it changes it.');
}

type Place = { where: string; link: string; metadata: Record<string, unknown> };

/**
 * Notifies the admins whom a text mentions and the text before it did not. A notification says where they are mentioned and nothing of the
 * text, which is about a person who may be forgotten.
 */
export async function tellMentioned(ctx: Ctx, body: { before?: string; after: string }, { where, link, metadata }: Place): Promise<void> {
  const known = new Set(mentionedIn(body.before ?? ''));
  const mentioned = mentionedIn(body.after).filter((id) => !known.has(id));
  await refuseUnknownAdmins(ctx, mentioned, () => '/body');
  const { adminId, name } = actingAdmin(ctx);
  const told = mentioned.filter((id) => id !== adminId || ctx.actor.type === 'task');
  await notifyMentioned(ctx, told, {
    title: `${name} mentioned you`,
    message: `In a comment on ${where}.`,
    link,
    metadata: { ...metadata, by: name },
  });
}
