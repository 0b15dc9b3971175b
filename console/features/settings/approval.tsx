import type { ShopSettings } from '../../../contract/settings.ts';
import type { Tagged } from '../../api/client.ts';
import { needed } from '../../parts/record-form.ts';
import { useActsAsOwner, useMay } from '../../parts/shop.ts';
import { Unsaved } from '../../parts/unsaved.tsx';
import { settingsText } from '../../texts/settings.ts';
import { NumberField, SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { useSettingsForm } from './settings-form.ts';

const t = settingsText.approval;

type Values = Pick<ShopSettings, 'approval_policy' | 'default_executor'> & { external_timeout_minutes: number | null };

/** Who approves a version before it may run, which only owners decide, and how runs are executed. */
export function ApprovalSection(settings: Tagged<ShopSettings>) {
  const may = useMay();
  const isOwner = useActsAsOwner();
  const form = useSettingsForm(
    settings,
    ({ approval_policy, default_executor, external_timeout_minutes }): Values => ({
      approval_policy,
      default_executor,
      external_timeout_minutes,
    }),
    (values) => ({ ...values, external_timeout_minutes: needed(values.external_timeout_minutes, 'external_timeout_minutes') }),
  );
  return (
    <Section title={t.title}>
      <Form label={t.title} form={form} nameOf={(name) => t.fields[name]} isReadOnly={!may('admin_api.settings.write')}>
        <SelectField
          label={t.fields.approval_policy}
          hint={isOwner ? t.policyHints[form.values.approval_policy] : t.ownersOnly}
          disabled={!isOwner}
          pointer="/approval_policy"
          error={form.errorAt('approval_policy')}
          value={form.values.approval_policy}
          options={(['author', 'added_permissions', 'second_admin'] as const).map((policy) => [policy, t.policies[policy]] as const)}
          onValue={(policy) => form.set('approval_policy', policy)}
        />
        <SelectField
          label={t.fields.default_executor}
          hint={t.executorHint}
          pointer="/default_executor"
          error={form.errorAt('default_executor')}
          value={form.values.default_executor}
          options={(['runner', 'external'] as const).map((executor) => [executor, t.executors[executor]] as const)}
          onValue={(executor) => form.set('default_executor', executor)}
        />
        <NumberField
          label={t.fields.external_timeout_minutes}
          hint={t.timeoutHint}
          pointer="/external_timeout_minutes"
          error={form.errorAt('external_timeout_minutes')}
          value={form.values.external_timeout_minutes}
          onValue={(minutes) => form.set('external_timeout_minutes', minutes)}
        />
      </Form>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
    </Section>
  );
}
