import type { BulkProduct, ProductBulkChange } from '../../../../contract/product-bulk.ts';
import { countText } from '../../../language/formats.ts';
import { useMoney } from '../../../parts/values.tsx';
import { listActsText } from '../../../texts/list-acts.ts';
import { productBulkText as t } from '../../../texts/product-bulk.ts';
import { productsText } from '../../../texts/products.ts';
import { Change } from '../../../ui/change.tsx';
import { Status } from '../../../ui/status.tsx';
import './preview.css';

const ROWS_SHOWN = 100;
/** What scrolls by itself takes the focus, for the keyboard. */
const scrolling = { role: 'region', 'aria-label': t.preview, tabIndex: 0 };

type Row = { key: string; name: string; note: string; before: string; after: string; code?: string };

/** What a change does, row by row: what it refuses first, with the reason; what stays as it is, is only counted. */
export function BulkPreview({ change, products }: { change: ProductBulkChange; products: readonly BulkProduct[] }) {
  const money = useMoney();
  const { changes, refused, stays } = planOf(change, products, money);
  const rows = [...refused, ...changes];
  const told = [
    changes.length === 0 ? t.nothing : t.changes(changes.length),
    stays > 0 ? t.stays(stays) : '',
    refused.length > 0 ? t.refused(refused.length) : '',
  ];
  return (
    <div className="bulk-preview">
      <p role="status">{told.filter(Boolean).join(' ')}</p>
      {rows.length > 0 ? (
        <div className="bulk-rows" {...scrolling}>
          <table aria-label={t.preview}>
            <tbody>
              {rows.slice(0, ROWS_SHOWN).map(({ key, name, note, before, after, code }) => (
                <tr key={key}>
                  <th scope="row">
                    {name} {note === '' ? null : <span className="muted">{note}</span>}
                  </th>
                  <td>
                    {code === undefined ? <Change before={before} after={after} /> : <Status tone="need">{t.codes[code] ?? code}</Status>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {rows.length > ROWS_SHOWN ? <p className="muted">{listActsText.more(countText(rows.length - ROWS_SHOWN))}</p> : null}
        </div>
      ) : null}
    </div>
  );
}

function planOf(change: ProductBulkChange, products: readonly BulkProduct[], money: (minor: number) => string) {
  const isOfProducts = change.kind === 'status' || change.kind === 'delete';
  const shown = change.kind.startsWith('price') ? money : countText;
  const rows = products.flatMap((product) => (isOfProducts ? [ofProduct(product)] : ofVariants(product, shown)));
  const refused = rows.filter(({ code }) => code !== undefined);
  const changes = rows.filter(({ code, before, after }) => code === undefined && before !== after);
  return { changes, refused, stays: rows.length - refused.length - changes.length };
}

function ofProduct({ id, name, status, status_after: after, code }: BulkProduct): Row {
  return {
    key: `${id}`,
    name: name ?? `${id}`,
    note: '',
    before: status === null ? '' : productsText.status[status],
    after: after === null ? t.gone : productsText.status[after],
    ...(code === undefined ? {} : { code }),
  };
}

function ofVariants({ id, name, variants, code }: BulkProduct, shown: (value: number) => string): Row[] {
  if (code !== undefined) return [{ key: `${id}`, name: name ?? `${id}`, note: '', before: '', after: '', code }];
  return variants.map((variant) => ({
    key: `${id}/${variant.id}`,
    name: name ?? `${id}`,
    note: variant.label || (variants.length > 1 ? variant.sku : ''),
    before: shown(variant.before),
    after: shown(variant.after ?? variant.before),
    ...(variant.code === undefined ? {} : { code: variant.code }),
  }));
}

/** How many products or variants a change makes other than they are. */
export function changeCount(change: ProductBulkChange, products: readonly BulkProduct[]): number {
  return planOf(change, products, String).changes.length;
}
