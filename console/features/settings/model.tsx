import type { SettingsPatch, ShopSettings } from '../../../contract/settings.ts';
import type { Tagged } from '../../api/client.ts';
import { useActsAsOwner } from '../../parts/shop.ts';
import { Unsaved } from '../../parts/unsaved.tsx';
import { settingsText } from '../../texts/settings.ts';
import { TextField, Tick } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { useSettingsForm } from './settings-form.ts';

const t = settingsText.model;

/** `api_key`: what to set; empty leaves the stored one. */
type ModelValues = { isOn: boolean; base_url: string; model: string; api_key: string };

const modelOf = ({ llm }: ShopSettings): ModelValues => ({
  isOn: llm !== null,
  base_url: llm?.base_url ?? '',
  model: llm?.model ?? '',
  api_key: '',
});

function modelPatch({ isOn, api_key, ...values }: ModelValues): SettingsPatch {
  return isOn ? { llm: { ...values, ...(api_key === '' ? {} : { api_key }) } } : { llm: null };
}

/** The language model that tasks may ask. Only owners choose it, because tasks send it data of the shop. */
export function ModelSection(settings: Tagged<ShopSettings>) {
  const isOwner = useActsAsOwner();
  const form = useSettingsForm(settings, modelOf, modelPatch);
  const { values, set } = form;
  const field = (name: 'base_url' | 'model' | 'api_key') => ({
    label: t.fields[name],
    pointer: `/llm/${name}`,
    error: form.errorAt(`llm/${name}`),
    value: values[name],
    onValue: (value: string) => set(name, value),
  });
  return (
    <Section title={t.title}>
      {isOwner ? null : <p className="muted section-note">{t.ownersOnly}</p>}
      <Form label={t.title} form={form} nameOf={(name) => t.fields[name]} isReadOnly={!isOwner}>
        <Tick label={t.fields.isOn} checked={values.isOn} onValue={(isOn) => set('isOn', isOn)} />
        {values.isOn ? (
          <>
            <TextField {...field('base_url')} hint={t.urlHint} />
            <TextField {...field('model')} />
            <TextField
              {...field('api_key')}
              type="password"
              autoComplete="new-password"
              hint={settings.value.llm?.api_key_set ? t.keySet : t.keyNone}
            />
          </>
        ) : (
          <p className="muted">{t.off}</p>
        )}
      </Form>
      <Unsaved isEdited={form.isEdited && !form.isSaving} />
    </Section>
  );
}
