import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { countText } from '../../language/formats.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import { BulkBar, BulkOutcome, type BulkResult } from '../../parts/list/bulk-bar.tsx';
import { ExportButton } from '../../parts/list/export-button.tsx';
import type { Selection } from '../../parts/list-page.tsx';
import { MomentField } from '../../parts/moment-field.tsx';
import { useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { useRetryKey } from '../../parts/retry-key.ts';
import { useMay } from '../../parts/shop.ts';
import { text } from '../../texts/app.ts';
import { customersText } from '../../texts/customers.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { accessGroups, allIds, exportPath, grantAll } from './queries.ts';
import type { CustomerFilters } from './search.ts';

const t = customersText.bulk;

type Props = Selection & { filters: CustomerFilters; words: string };

/** What can be done with the selected customers; each one that is refused is told. */
export function CustomersBar({ ids, total, select, filters, words }: Props) {
  const may = useMay();
  const [isGranting, setGranting] = useState(false);
  const [results, setResults] = useState<readonly BulkResult[] | null>(null);
  const done = results?.filter(({ code }) => code === undefined).length ?? 0;
  return (
    <BulkBar
      ids={ids}
      kind="customer_ids"
      total={total}
      words={words}
      allIds={() => allIds(filters)}
      select={select}
      acts={
        <>
          {may('admin_api.access_groups.write') ? <Button onClick={() => setGranting(true)}>{t.grant}</Button> : null}
          <ExportButton path={exportPath(filters, ids)} name={customersText.title} total={ids.size} />
        </>
      }
    >
      {results ? <BulkOutcome results={results} done={done > 0 ? t.granted(countText(done), done) : undefined} codes={t.codes} /> : null}
      {isGranting ? <Grant ids={[...ids]} close={() => setGranting(false)} onDone={setResults} /> : null}
    </BulkBar>
  );
}

type GrantProps = { ids: readonly number[]; close(): void; onDone(results: readonly BulkResult[]): void };

function Grant({ ids, close, onDone }: GrantProps) {
  const groups = useQuery(accessGroups);
  const reload = useReload();
  const key = useRetryKey();
  const form = useRecordForm({
    values: { group: '', expires_at: null as string | null, note: '' },
    send: ({ group, expires_at, note }) => grantAll(Number(group), ids, { expires_at, note: note || null }, (body) => key.of(body)),
    onSaved: (results) => {
      key.spend();
      void reload('customers', 'access_groups');
      onDone(results);
      close();
    },
  });
  return (
    <Dialog title={t.grantTitle(countText(ids.length), ids.length)} close={close}>
      <EditForm
        label={t.grant}
        form={form}
        submit={t.give}
        isRefused={form.values.group === ''}
        acts={<Button onClick={close}>{text.app.cancel}</Button>}
      >
        <SelectField
          label={t.group}
          value={form.values.group}
          options={[['', t.choose], ...(groups.data ?? []).map(({ id, name }): [string, string] => [String(id), name])]}
          onValue={(group) => form.set('group', group)}
        />
        <MomentField label={t.until} value={form.values.expires_at} onValue={(at) => form.set('expires_at', at)} />
        <TextField label={t.note} {...form.text('note')} />
      </EditForm>
    </Dialog>
  );
}
