import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { onBothStores, type TestApp } from '../helpers/app.ts';
import { makeOrder } from '../helpers/builders.ts';
import { writeFont } from '../helpers/label-font.ts';
import { type Shown, shownOf } from '../helpers/pdf-text.ts';
import { codeOf } from '../helpers/runs.ts';

/** What the labels of the built-in courier print of people's names, and which letters they refuse before anything is bought. */

const folder = mkdtempSync(join(tmpdir(), 'backroom-fonts-'));
const east = join(folder, 'east.ttf');
await writeFont(east, '東京');

async function open(app: TestApp, customer_name: string) {
  const order = await makeOrder(app, { customer_name });
  const { shipment } = await app.client.orders.create_shipment(order.id);
  return { order, shipment };
}

async function printed(app: TestApp, name: string): Promise<{ pieces: Shown[]; text: string; bytes: number }> {
  const { order, shipment } = await open(app, name);
  const { label_url } = await app.client.orders.buy_label(order.id, shipment.id, { courier_id: 'express', courier_name: '' });
  const answer = await fetch(new URL(label_url ?? '', app.url));
  const pdf = Buffer.from(await answer.arrayBuffer());
  const pieces = shownOf(pdf);
  return { pieces, text: pieces.map(({ text }) => text).join('\n'), bytes: pdf.length };
}

async function assertRefused(app: TestApp, name: string, letters: readonly string[]): Promise<void> {
  const { order, shipment } = await open(app, name);
  const path = `/admin/api/orders/${order.id}/shipments/${shipment.id}/buy-label`;
  const answer = await app.request({ method: 'POST', path, body: { courier_id: 'express', courier_name: '' } });
  assert.deepEqual(codeOf(answer), [409, 'label_letters_missing']);
  assert.partialDeepStrictEqual(answer.body, { letters });
  assert.match(answer.text, /LABEL_FONT_FOLDERS/);
  assert.equal((await app.client.orders.list_shipments(order.id))[0]?.status, 'rates_fetched');
}

onBothStores(
  'labels without fonts of the system',
  (app) => {
    test('SH1: a label prints Latin, Cyrillic and Greek letters as they are', async () => {
      for (const name of ['Łódź Ðorđević – “Şule”', 'Москва', 'Ελλάδα', 'Nguyễn Văn Ất']) {
        const { text, bytes } = await printed(app(), name);
        assert.ok(text.includes(name), text);
        // Only the letters that are printed are in the file.
        assert.ok(bytes < 60_000, String(bytes));
      }
      assert.ok((await printed(app(), 'Jürgen Müller')).text.includes('Jürgen Müller'));
    });

    test('SH1: Hebrew and Arabic stand from right to left, numbers in them do not, and Arabic letters are joined', async () => {
      const hebrew = (await printed(app(), 'שלום (12) עולם')).text.replaceAll('\n', '');
      assert.ok(hebrew.includes('םלוע (12) םולש'), hebrew);
      const { pieces } = await printed(app(), 'محمد');
      const [name] = pieces.filter(({ text }) => text.includes('دمحم'));
      assert.ok(name, JSON.stringify(pieces));
      assert.equal(new Set(name.codes).size, 4, 'the first letter of the name has another form in its middle');
    });

    test('SH1: letters that no font has are named before the label is bought; what cannot be seen is none', async () => {
      await assertRefused(app(), '東京 Ж', ['東', '京']);
      await assertRefused(app(), 'ไทย 𠮷', ['ไ', 'ท', 'ย', '𠮷']);
      assert.ok((await printed(app(), 'Ａnn\u200e Lee\u202e')).text.includes('Ann Lee'));
    });
  },
  { env: { LABEL_FONT_FOLDERS: join(folder, 'none') } },
);

onBothStores(
  'labels with fonts of the system',
  (app) => {
    test('SH1: the fonts of the system have the letters that the font of the server lacks', async () => {
      assert.ok((await printed(app(), '東京 Ж')).text.replaceAll('\n', '').includes('東京 Ж'));
      await assertRefused(app(), '大東京', ['大']);
    });
  },
  { env: { LABEL_FONT_FOLDERS: folder } },
);

onBothStores(
  'labels with a font of the shop',
  (app) => {
    test('SH1: what LABEL_FONT lacks is printed in the font of the server, or refused', async () => {
      const { pieces, text } = await printed(app(), '東京 Ж');
      assert.ok(text.replaceAll('\n', '').includes('東京 Ж'), text);
      assert.ok(pieces.some((piece) => piece.text === '東京'));
      await assertRefused(app(), '大東京', ['大']);
    });
  },
  { env: { LABEL_FONT: east, LABEL_FONT_FOLDERS: join(folder, 'none') } },
);
