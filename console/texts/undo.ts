import { counted, countText } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

/** What one can do about a file and a signal: several endpoints have the same. */
const file = 'The content of the file was deleted with it. Upload the file again.';
const signal = 'A run that waited for the signal has gone on with it. Take back what that run did.';

/** Taking back what a run did. */
const english = {
  act: 'Take back…',
  selected: (count: number) => `${counted(count, 'effect is', 'effects are')} selected`,
  clear: 'Clear',
  ask: {
    title: (run: number) => `Take back what run ${run} did?`,
    titleSome: (count: number, run: number) => `Take back ${counted(count, 'effect', 'effects')} of run ${run}?`,
    detail: 'First a plan is made, which changes nothing. It shows what would be put back, and what others have changed since.',
    together: 'What one call wrote is taken back together.',
    what: 'What is taken back',
    run: (run: number) => `What run ${run} did`,
    lineage: 'Also what the runs did that it goes on from, or that go on from it',
    make: 'Make the plan',
  },
  plan: {
    of: (run: number) => `It would take back what run ${run} did.`,
    chosen: (count: number, all: number) => `${countText(count)} of ${counted(all, 'write is', 'writes are')} chosen.`,
    nothing: 'Nothing of it can be taken back now.',
    apply: 'Apply…',
    rows: 'What would be taken back',
    filter: 'Show',
    all: 'All',
    more: 'Show further',
    choose: (call: string) => `Take back ${call}`,
    chooseReady: 'Choose all that are ready',
    chooseNone: 'Choose none',
    ofRun: (run: number) => `of run ${run}`,
    fresh: 'Make a new plan',
    outdated: 'The shop has changed since this plan was made. Nothing was written.',
    notApplicable: 'The plan cannot be applied.',
  },
  confirm: {
    title: (count: number, run: number) => `Take back ${counted(count, 'write', 'writes')} of run ${run}?`,
    detail: 'All of them are taken back, or none. This makes a run of its own, which can be taken back in turn.',
    conflicts: (count: number) => `${counted(count, 'of them was', 'of them were')} changed since: what others have written there is lost.`,
    left: (count: number) => `${counted(count, 'other write stays as it is', 'other writes stay as they are')}.`,
    act: 'Take back',
  },
  states: {
    ready: 'Ready',
    conflict: 'Changed since',
    irreversible: 'Cannot be taken back',
    already_as_before: 'As before already',
  },
  conflict: {
    label: 'What was changed since',
    field: 'Field',
    before: 'Before',
    run: 'By the run',
    now: 'Now',
    whole: 'the record',
    choosable: 'It is left alone unless you choose it; then the value from before is set all the same.',
    made: 'Records that others have made since would be deleted with it. It is left alone unless you choose it.',
    referred: 'A record that was made since refers to what it wrote, or what it refers to is gone. It cannot be chosen.',
    taken: 'Another record has a value by now that only one may have. It cannot be chosen.',
    gone: 'The record is no longer there. It cannot be chosen.',
    less: 'Less is left than would be taken. It cannot be chosen.',
  },
  notKept:
    'How its records were before is not kept: it is too long ago, was too much, or was about a person who was forgotten. Change them by hand.',
  stays: 'A mail was written besides, which stays sent. Write to its recipients again.',
  /** Why a call cannot be taken back, and what can be done instead. */
  instead: {
    'subscriptions.activate': 'The subscription runs at the payment provider, whatever the shop knows of it. Cancel it.',
    'subscriptions.cancel':
      'The payment provider has ended the subscription, and its access ended with it. The customer can subscribe again.',
    'orders.create_shipment':
      'Couriers were asked for rates, and a label may have been bought since. Delete the shipment, which asks for the price of such a label back.',
    'orders.buy_label': 'The courier has sold the label. Delete the shipment, which asks for its price back.',
    'orders.refresh_shipment': 'It stores what the courier said, which is so whatever the shop does.',
    'orders.delete_shipment':
      'The courier was asked to take a bought label back. Create the shipment again, or record it again if a locker network has it.',
    'orders.create':
      'An order stays in the books under its number, and its customer may have been told. Cancel it, which gives back its stock and its voucher.',
    'customers.delete_file': file,
    'customers.delete': 'A person who was forgotten cannot come back. Create the customer again with what the person tells you.',
    'notifications.create': 'Admins may have read it. Create another notification that corrects it.',
    'media.delete': file,
    'files.delete': file,
    'inquiries.answer': 'The answer was sent by mail. Write to the person again.',
    'http.send': 'Another system has got the request. Ask that system to take it back.',
    'task_runs.start': 'The run that it started has effects of its own. Take that run back.',
    'ai_tasks.signal_run': signal,
    'ai_tasks.signal': signal,
    'task_runs.signal': signal,
    'mails.send': 'A mail cannot be called back. Write to its recipients again.',
  },
} as const;

export type UndoText = Words<typeof english>;
export const undoText = translated('undo', english);

/** What can be done instead of taking back a call of this endpoint; undefined: it can be taken back, or is not known here. */
export function insteadOf(endpoint: string): string | undefined {
  const known: Readonly<Record<string, string>> = undoText.instead;
  return Object.hasOwn(known, endpoint) ? known[endpoint] : undefined;
}
