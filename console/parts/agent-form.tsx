import type { ReactNode } from 'react';
import { isGivenToAgents } from '../../contract/agent-rules.ts';
import type { CallOptions } from '../../contract/calls.ts';
import { settingsText } from '../texts/settings.ts';
import { NumberField, TextField, Tick } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { PermissionField } from '../ui/permission-field.tsx';
import { useRecordForm } from './record-form.ts';
import { useMay, useMe } from './shop.ts';

const t = settingsText.agents;

type Values = { name: string; permissions: readonly string[]; sees_personal_data: boolean; expires_in_days: number | null };
type Body = { name: string; permissions: string[]; sees_personal_data: boolean; expires_in_days?: number };

type Props<R> = {
  label: string;
  name?: string;
  /** The permissions that may be chosen; null: all that the admin has and an agent may have. */
  asked?: readonly string[] | null;
  submit: string;
  send(body: Body, options: CallOptions): Promise<R>;
  onSaved(answer: R): void;
  acts: ReactNode;
};

/** What an agent is called and may. Nothing is chosen beforehand. */
export function AgentForm<R>({ label, name = '', asked = null, submit, send, onSaved, acts }: Props<R>) {
  const { effective_permissions: held } = useMe();
  const may = useMay();
  const offered = asked === null ? held : asked.flatMap((one) => [...new Set([one.replace(/write$/, 'read'), one])]).filter(may);
  const start: Values = { name, permissions: [], sees_personal_data: false, expires_in_days: 90 };
  const form = useRecordForm({
    values: start,
    send: ({ permissions, expires_in_days, ...values }: Values, options) =>
      send({ ...values, permissions: [...permissions], ...(expires_in_days === null ? {} : { expires_in_days }) }, options),
    onSaved,
  });
  return (
    <Form label={label} form={form} submit={submit} canSendUnedited={name !== ''} acts={acts}>
      <TextField label={t.name} hint={t.nameHint} autoFocus {...form.text('name')} />
      <NumberField
        label={t.days}
        hint={t.daysHint}
        pointer="/expires_in_days"
        error={form.errorAt('expires_in_days')}
        value={form.values.expires_in_days}
        onValue={(days) => form.set('expires_in_days', days)}
      />
      <PermissionField
        label={t.may}
        offered={offered.filter(isGivenToAgents)}
        value={form.values.permissions}
        onValue={(permissions) => form.set('permissions', permissions)}
        error={form.errorAt('permissions')}
        pointer="/permissions"
      />
      <Tick label={t.people} checked={form.values.sees_personal_data} onValue={(sees) => form.set('sees_personal_data', sees)} />
      <p className="muted">{t.peopleHint}</p>
    </Form>
  );
}
