import { Dialog, DialogDismiss, DialogHeading } from '@ariakit/react';
import { text } from '../texts/en/app.ts';
import '../ui/dialog.css';
import { showKeys } from '../ui/keys.ts';

const t = text.keys;

/** Which key does what. */
export function KeyMap({ open, setOpen }: { open: boolean; setOpen(open: boolean): void }) {
  return (
    <Dialog className="dialog" open={open} onClose={() => setOpen(false)} backdrop={<div className="backdrop" />}>
      <div className="dialog-head">
        <DialogHeading>{t.title}</DialogHeading>
        <DialogDismiss className="button quiet">{t.close}</DialogDismiss>
      </div>
      <KeyTable name={t.anywhere} rows={t.rows} />
      <KeyTable name={t.lists} rows={t.listRows} />
    </Dialog>
  );
}

function KeyTable({ name, rows }: { name: string; rows: readonly (readonly [keys: string, what: string])[] }) {
  return (
    <table className="key-map">
      <caption>{name}</caption>
      <tbody>
        {rows.map(([keys, what]) => (
          <tr key={keys}>
            <th scope="row">
              <kbd>{showKeys(keys)}</kbd>
            </th>
            <td>{what}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
