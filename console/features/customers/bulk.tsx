import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
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
import { type ActProps, CreditsDialog, DiscountDialog } from './bulk-acts.tsx';
import { accessGroups, allIds, exportPath, grantAll } from './queries.ts';
import type { CustomerFilters } from './search.ts';

const t = customersText.bulk;

type Props = Selection & { filters: CustomerFilters; words: string };

const acts = ['grant', 'discount', 'credits'] as const;
type Act = (typeof acts)[number];
const needed: Readonly<Record<Act, string>> = {
  grant: 'admin_api.access_groups.write',
  discount: 'admin_api.customers.write',
  credits: 'admin_api.customers.write',
};
const dialogs: Readonly<Record<Act, (props: ActProps) => ReactNode>> = { grant: Grant, discount: DiscountDialog, credits: CreditsDialog };

/** What can be done with the selected customers; each one that is refused is told. */
export function CustomersBar({ ids, total, select, filters, words }: Props) {
  const may = useMay();
  const [act, setAct] = useState<Act | null>(null);
  const [outcome, setOutcome] = useState<{ act: Act; results: readonly BulkResult[] } | null>(null);
  const done = outcome?.results.filter(({ code }) => code === undefined).length ?? 0;
  const Shown = act && dialogs[act];
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
          {acts.map((one) =>
            may(needed[one]) ? (
              <Button key={one} onClick={() => setAct(one)}>
                {t[one]}
              </Button>
            ) : null,
          )}
          <ExportButton path={exportPath(filters, ids)} name={customersText.title} total={ids.size} />
        </>
      }
    >
      {outcome ? (
        <BulkOutcome results={outcome.results} done={done > 0 ? t.done[outcome.act](countText(done), done) : undefined} codes={t.codes} />
      ) : null}
      {act && Shown ? <Shown ids={[...ids]} close={() => setAct(null)} onDone={(results) => setOutcome({ act, results })} /> : null}
    </BulkBar>
  );
}

function Grant({ ids, close, onDone }: ActProps) {
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
