import { type Routes, read, write } from '../../verbs/route.ts';
import * as credits from './domain.ts';

export const creditsRoutes = {
  'customers.get_credits': read((ctx, { params }) => credits.readCredits(ctx, params.id)),
  'customers.list_credit_transactions': read((ctx, { params, query }) => credits.listCreditTransactions(ctx, params.id, query)),
  'customers.adjust_credits': write((ctx, { params, body }) => credits.adjustCredits(ctx, params.id, body)),
} satisfies Partial<Routes>;
