import type { SettingsPatch, ShopSettings } from '../../../contract/settings.ts';
import type { Tagged } from '../../api/client.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import type { FieldRows } from '../../parts/fields.tsx';
import { useActsAsOwner } from '../../parts/shop.ts';
import { settingsText } from '../../texts/settings.ts';
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

const at = <N extends keyof ModelValues>(name: N) => ({ name, label: t.fields[name], pointer: `/llm/${name}` });

/** The language model that tasks may ask. Only owners choose it, because tasks send it data of the shop. */
export function ModelSection(settings: Tagged<ShopSettings>) {
  const isOwner = useActsAsOwner();
  const form = useSettingsForm(settings, modelOf, modelPatch);
  const { isOn } = form.values;
  const model: FieldRows<ModelValues> = [
    { kind: 'text', ...at('base_url'), hint: t.urlHint },
    { kind: 'text', ...at('model') },
    { kind: 'password', ...at('api_key'), hint: settings.value.llm?.api_key_set ? t.keySet : t.keyNone },
  ];
  return (
    <Section title={t.title}>
      {isOwner ? null : <p className="muted section-note">{t.ownersOnly}</p>}
      <EditForm
        label={t.title}
        form={form}
        isReadOnly={!isOwner}
        nameOf={(name) => t.fields[name]}
        fields={[{ kind: 'tick', ...at('isOn') }, ...(isOn ? model : [])]}
      >
        {isOn ? null : <p className="muted">{t.off}</p>}
      </EditForm>
    </Section>
  );
}
