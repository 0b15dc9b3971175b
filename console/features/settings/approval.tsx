import type { ShopSettings } from '../../../contract/settings.ts';
import type { Tagged } from '../../api/client.ts';
import { EditForm, type FieldGroup } from '../../parts/edit-form.tsx';
import type { Typed } from '../../parts/fields.tsx';
import { allNeeded } from '../../parts/record-form.ts';
import { useActsAsOwner, useMay } from '../../parts/shop.ts';
import { settingsText } from '../../texts/settings.ts';
import { useSettingsForm } from './settings-form.ts';

const t = settingsText.approval;

const valuesOf = ({ approval_policy, default_executor, external_timeout_minutes }: Typed<ShopSettings>) => ({
  ...{ approval_policy, default_executor, external_timeout_minutes },
});

/** Who approves a version before it may run, which only owners decide, and how runs are executed. */
export function ApprovalSection(settings: Tagged<ShopSettings>) {
  const mayChange = useMay()('admin_api.settings.write');
  const isOwner = useActsAsOwner();
  const form = useSettingsForm(settings, valuesOf, (values) => allNeeded(values, ['external_timeout_minutes']));
  const groups: readonly FieldGroup<typeof form.values>[] = [
    {
      title: t.title,
      fields: [
        {
          kind: 'choice',
          name: 'approval_policy',
          label: t.fields.approval_policy,
          hint: isOwner ? t.policyHints[form.values.approval_policy] : t.ownersOnly,
          disabled: !isOwner,
          options: (['author', 'added_permissions', 'second_admin'] as const).map((policy) => [policy, t.policies[policy]] as const),
        },
      ],
    },
    {
      title: t.running,
      fields: [
        {
          kind: 'choice',
          name: 'default_executor',
          label: t.fields.default_executor,
          hint: t.executorHint,
          options: (['runner', 'external'] as const).map((executor) => [executor, t.executors[executor]] as const),
        },
        {
          kind: 'number',
          name: 'external_timeout_minutes',
          label: t.fields.external_timeout_minutes,
          hint: t.timeoutHint,
          unit: settingsText.units.minutes,
        },
      ],
    },
  ];
  return <EditForm label={t.title} form={form} isPage isReadOnly={!mayChange} groups={groups} />;
}
