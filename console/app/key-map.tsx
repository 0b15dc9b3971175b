import { text } from '../texts/app.ts';
import { Dialog } from '../ui/dialog.tsx';
import { showKeys } from '../ui/keys.ts';

const t = text.keys;

/** Which key does what. */
export function KeyMap({ close }: { close(): void }) {
  return (
    <Dialog title={t.title} close={close}>
      <KeyTable name={t.anywhere} rows={t.rows} />
      <KeyTable name={t.lists} rows={t.listRows} />
      <KeyTable name={t.editor} rows={t.editorRows} />
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
