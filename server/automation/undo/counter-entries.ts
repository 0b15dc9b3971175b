import { z } from 'zod';
import type { RowValues } from '../../db/queries/one-row.ts';
import { actingAdmin, actorName, type Ctx } from '../../verbs/context.ts';
import * as store from './store.ts';

/** The entries that cancel those which a write made in a ledger (spec UN4); each names the run whose write it cancels. */

const Movement = z.object({ variant_id: z.number(), delta: z.number(), order_id: z.number().nullable() });
const Credits = z.object({ customer_id: z.number(), delta_credits: z.number(), credit_id: z.number() });
const Edit = z.object({
  ...{ order_id: z.number(), summary: z.string() },
  ...{ total_before_cents: z.number(), total_after_cents: z.number(), payment_delta_cents: z.number() },
});

const entries: Readonly<Record<string, (ctx: Ctx, row: RowValues, runId: number) => Promise<unknown>>> = {
  stock_movements: (ctx, row, runId) => {
    const { delta, ...of } = Movement.parse(row);
    const entry = { ...of, delta: -delta, reason: `Undo of run ${runId}`, actor: actorName(ctx), at: ctx.now };
    return store.counterEntries.insertStockMovement(ctx.db, entry);
  },
  credit_transactions: (ctx, row, runId) => {
    const { delta_credits: delta, ...of } = Credits.parse(row);
    return store.counterEntries.insertCreditTransaction(ctx.db, {
      ...of,
      kind: delta > 0 ? 'deduct' : 'manual_grant',
      delta_credits: -delta,
      reference: null,
      note: `Undo of run ${runId}`,
      created_at: ctx.now,
      created_by: actorName(ctx),
    });
  },
  order_edits: (ctx, row, runId) => {
    const { summary, ...of } = Edit.parse(row);
    return store.counterEntries.insertOrderEdit(ctx.db, {
      order_id: of.order_id,
      edited_at: ctx.now,
      edited_by_shop_owner_id: actingAdmin(ctx).adminId,
      edit_source: ctx.actor.type === 'task' ? 'ai_task' : 'admin_api',
      summary: `Undo of run ${runId}: ${summary}`,
      total_before_cents: of.total_after_cents,
      total_after_cents: of.total_before_cents,
      payment_delta_cents: -of.payment_delta_cents,
      payment_adjustment_note: '',
      customer_notified: 0,
      stock_override_used: 0,
    });
  },
};

export async function counterEntry(ctx: Ctx, table: string, row: RowValues, runId: number): Promise<void> {
  const entry = entries[table];
  if (!entry) throw new Error(`nothing cancels an entry of ${table}`);
  await entry(ctx, row, runId);
}
