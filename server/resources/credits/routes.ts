import type { Handlers } from '../../http/handlers.ts';
import * as credits from './domain.ts';

export const creditsRoutes: Handlers = {
  'customers.get_credits': (ctx, { params }) => credits.readCredits(ctx, params.id),
  'customers.list_credit_transactions': (ctx, { params, query }) => credits.listCreditTransactions(ctx, params.id, query),
  'customers.adjust_credits': (ctx, { params, body }) => credits.adjustCredits(ctx, params.id, body),
};
