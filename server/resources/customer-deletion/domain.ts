import type { FileStore } from '../../providers/files/file-store.ts';
import type { AuditEntry, Ctx } from '../../verbs/context.ts';
import { forgetGrantNotes } from '../access-groups/manual-grants.ts';
import { forgetInLogs } from '../audit/domain.ts';
import { forgetComments } from '../comments/domain.ts';
import { deleteCredits, forgetCreditNotes } from '../credits/domain.ts';
import { deleteAddresses } from '../customer-addresses/domain.ts';
import { deleteFiles } from '../customer-files/domain.ts';
import { deleteNotes } from '../customer-notes/domain.ts';
import { anonymise, lockPerson, removeCustomer } from '../customers/domain.ts';
import { forgetInquiries, hasInquiries } from '../inquiries/domain.ts';
import { forgetMails } from '../mail/domain.ts';
import { forgetEditNotes } from '../order-edits/domain.ts';
import { forgetCustomFields } from '../order-lines/domain.ts';
import { forgetBuyers, hasOrders, idsOfBuyer } from '../orders/domain.ts';
import { forgetPayers } from '../payments/domain.ts';
import { forgetRecipients } from '../shipments/domain.ts';
import { forgetSubscriber, hasSubscriptions } from '../subscriptions/domain.ts';
import { forgetUnsubscribeLinks } from '../unsubscribe/domain.ts';

/**
 * Deletes a person's data in one transaction: records of the person alone are deleted, records that the shop must keep lose
 * their personal data. The customer's own record stays, blank, while something refers to it (spec CU11, CU12).
 * Data with a retention time stays until that time ends (docs/customers.md).
 */
export async function deleteCustomer(ctx: Ctx, files: FileStore, id: number): Promise<undefined> {
  const { email, anonymisedAt } = await lockPerson(ctx, id);
  const person = { customerId: id, email };
  const orderIds = await idsOfBuyer(ctx, person);
  await forgetBuyers(ctx, orderIds);
  await forgetCustomFields(ctx, orderIds);
  await forgetEditNotes(ctx, orderIds);
  await forgetComments(ctx, orderIds);
  await forgetRecipients(ctx, orderIds);
  await forgetSubscriber(ctx, { customerId: id, orderIds });
  const paymentIds = await forgetPayers(ctx, orderIds);
  const inquiryIds = await forgetInquiries(ctx, person);
  await deleteAddresses(ctx, id);
  await deleteNotes(ctx, id);
  await deleteFiles(ctx, files, id);
  const traces = { customerId: id, records: { customer: [id], order: orderIds, inquiry: inquiryIds, payment: paymentIds } };
  await forgetMails(ctx, traces);
  await forgetUnsubscribeLinks(ctx, id);
  await forgetInLogs(ctx, traces);
  const resource = { type: 'customer', id } as const;
  if (!(await isNeeded(ctx, id))) {
    await deleteCredits(ctx, id);
    await removeCustomer(ctx, { id, email });
    ctx.audit({ resource, changes: {}, summary: `Customer ${id} deleted` });
    return;
  }
  await forgetCreditNotes(ctx, id);
  await forgetGrantNotes(ctx, id);
  await anonymise(ctx, { id, email });
  const changes: AuditEntry['changes'] = anonymisedAt === null ? { anonymised_at: [null, ctx.now] } : {};
  ctx.audit({ resource, changes, summary: `Customer ${id} deleted; the record stays without the person` });
}

async function isNeeded(ctx: Ctx, id: number): Promise<boolean> {
  return (await hasOrders(ctx, id)) || (await hasSubscriptions(ctx, id)) || (await hasInquiries(ctx, id));
}
