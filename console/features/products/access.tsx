import { useQuery } from '@tanstack/react-query';
import type { ProductAssignment } from '../../../contract/access-groups.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import { useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { useMay } from '../../parts/shop.ts';
import { productsText } from '../../texts/products.ts';
import { Button } from '../../ui/button.tsx';
import { NumberField, SelectField } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { accessGroups, calls, productAccess } from './queries.ts';

const t = productsText.access;

/** The access groups that a buyer joins, and for how long. */
export function Access({ id, mayChange }: { id: number; mayChange: boolean }) {
  const access = useQuery(productAccess(id));
  const mayRead = useMay()('admin_api.access_groups.read');
  return (
    <Section title={t.title}>
      <Loaded query={access} rows={2}>
        {(assigned) => <AccessForm id={id} assigned={assigned} isReadOnly={!(mayChange && mayRead)} />}
      </Loaded>
    </Section>
  );
}

type FormProps = { id: number; assigned: readonly ProductAssignment[]; isReadOnly: boolean };

function AccessForm({ id, assigned, isReadOnly }: FormProps) {
  const reload = useReload();
  const groups = useQuery({ ...accessGroups, enabled: !isReadOnly });
  const form = useRecordForm({
    values: { assignments: assigned.map(({ group_id, duration_days }) => ({ group_id, duration_days })) },
    send: (values, options) => calls.replace_access_groups(id, values, options),
    onSaved: () => void reload('products', 'access_groups'),
  });
  const { assignments } = form.values;
  const set = (next: typeof assignments): void => form.set('assignments', next);
  const nameOf = (groupId: number): string =>
    groups.data?.find((group) => group.id === groupId)?.name ??
    assigned.find(({ group_id }) => group_id === groupId)?.name ??
    String(groupId);
  const free = (groups.data ?? []).filter((group) => assignments.every(({ group_id }) => group_id !== group.id));
  return (
    <EditForm ofPage isInline label={t.title} form={form} isReadOnly={isReadOnly}>
      {assignments.length === 0 ? <p className="muted">{t.none}</p> : null}
      {assignments.map(({ group_id, duration_days }, index) => (
        <div key={group_id} className="form-row">
          <NumberField
            label={nameOf(group_id)}
            hint={t.daysHint}
            pointer={`/assignments/${index}/duration_days`}
            error={form.errorAt(`assignments/${index}/duration_days`) ?? form.errorAt(`assignments/${index}/group_id`)}
            value={duration_days}
            onValue={(days) => set(assignments.map((one) => (one.group_id === group_id ? { group_id, duration_days: days } : one)))}
          />
          {isReadOnly ? null : (
            <div className="field-acts">
              <Button
                kind="quiet"
                aria-label={t.remove(nameOf(group_id))}
                onClick={() => set(assignments.filter((one) => one.group_id !== group_id))}
              >
                {t.removeShort}
              </Button>
            </div>
          )}
        </div>
      ))}
      {!isReadOnly && free.length > 0 ? (
        <SelectField
          label={t.add}
          value=""
          options={[['', t.choose], ...free.map(({ id, name }): [string, string] => [String(id), name])]}
          onValue={(value) => value !== '' && set([...assignments, { group_id: Number(value), duration_days: null }])}
        />
      ) : null}
    </EditForm>
  );
}
