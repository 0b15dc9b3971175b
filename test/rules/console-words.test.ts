import assert from 'node:assert/strict';
import { test } from 'node:test';
import de from '../../console/texts/de/index.ts';
import fr from '../../console/texts/fr/index.ts';
import hu from '../../console/texts/hu/index.ts';
import { newsText } from '../../console/texts/news.ts';
import { refusalsText } from '../../console/texts/refusals.ts';
import { undoText } from '../../console/texts/undo.ts';
import { undoEntryText } from '../../console/texts/undo-entry.ts';
import { errorCodes } from '../../contract/errors.ts';
import { endpointList } from '../../contract/index.ts';
import { notificationTypes } from '../../contract/notifications.ts';
import { eventTypes } from '../../contract/preferences.ts';
import { UndoClosed } from '../../contract/undo-entries.ts';
import { voucherReasons } from '../../contract/vouchers.ts';
import { policyOf } from '../../server/db/captured-tables.ts';

/** What the server tells by a code has words in every language of the console. */

const languages = { en: { news: newsText, refusals: refusalsText }, de, hu, fr };
/** Their words are of whoever wrote them. */
const WRITTEN = ['task_message', 'admin_message'];

for (const [language, { news, refusals }] of Object.entries(languages)) {
  test(`each code of a refusal, each reason against a voucher and each notification has words in ${language}`, () => {
    assert.deepEqual(Object.keys(refusals.codes).sort(), Object.keys(errorCodes).sort());
    assert.deepEqual(Object.keys(refusals.vouchers).sort(), [...voucherReasons].sort());
    const told = [...Object.keys(news), ...Object.keys(news.runs)];
    const types = Object.keys(notificationTypes).filter((type) => !WRITTEN.includes(type));
    assert.deepEqual(
      types.filter((type) => !told.includes(type)),
      [],
    );
    assert.deepEqual(Object.keys(news.mails).sort(), Object.keys(eventTypes).sort());
  });
}

test('what cannot be taken back says in English what the API says, and every reason has words', () => {
  const told = endpointList.flatMap(({ id, undo }) =>
    typeof undo === 'object' && 'irreversible' in undo ? [[id, undo.irreversible]] : [],
  );
  // A deletion can be taken back unless it asked for the price of a label.
  const asked = { 'orders.delete_shipment': policyOf('label_refunds').final };
  assert.deepEqual(undoText.instead, { ...Object.fromEntries(told), ...asked });
  assert.deepEqual(Object.keys(undoEntryText.closed).sort(), [...UndoClosed.options].sort());
});

test('in English a refusal is called as the server calls it', () => {
  assert.deepEqual(refusalsText.codes, Object.fromEntries(Object.entries(errorCodes).map(([code, [, title]]) => [code, title])));
});

test('no other language leaves a refusal in English', () => {
  for (const { refusals } of [de, hu, fr]) {
    const left = Object.entries(refusals.codes).filter(([code, words]) => words === refusalsText.codes[code as keyof typeof errorCodes]);
    assert.deepEqual(left, []);
  }
});
