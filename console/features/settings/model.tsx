import type { SettingsPatch, ShopSettings } from '../../../contract/settings.ts';
import type { Tagged } from '../../api/client.ts';
import { EditForm, type FieldGroup } from '../../parts/edit-form.tsx';
import { useActsAsOwner } from '../../parts/shop.ts';
import { settingsText } from '../../texts/settings.ts';
import { type AssistantValues, assistantFields, assistantOf, assistantPatch } from './assistant.ts';
import { useSettingsForm } from './settings-form.ts';

const t = settingsText.model;

/** `llm_api_key`: what to set; empty leaves the stored one. */
type ModelValues = { llm_isOn: boolean; llm_base_url: string; llm_model: string; llm_api_key: string };
type Values = ModelValues & AssistantValues;

const modelOf = ({ llm }: ShopSettings): ModelValues => ({
  llm_isOn: llm !== null,
  llm_base_url: llm?.base_url ?? '',
  llm_model: llm?.model ?? '',
  llm_api_key: '',
});

function modelPatch({ llm_isOn, llm_base_url, llm_model, llm_api_key }: ModelValues): SettingsPatch {
  if (!llm_isOn) return { llm: null };
  return { llm: { base_url: llm_base_url, model: llm_model, ...(llm_api_key === '' ? {} : { api_key: llm_api_key }) } };
}

const at = <N extends keyof typeof t.fields>(name: N) => ({ name: `llm_${name}` as const, label: t.fields[name], pointer: `/llm/${name}` });

/** The language model that tasks may ask, and the one that writes drafts. Only owners choose them: they are sent data of the shop. */
export function ModelSection(settings: Tagged<ShopSettings>) {
  const isOwner = useActsAsOwner();
  const { llm, assistant } = settings.value;
  const form = useSettingsForm(
    settings,
    (all): Values => ({ ...modelOf(all), ...assistantOf(all) }),
    (values) => ({ ...modelPatch(values), ...assistantPatch(assistant, values) }),
  );
  const { llm_isOn: isOn, assistant_isOn: hasAssistant } = form.values;
  const a = settingsText.assistant;
  const groups: readonly FieldGroup<Values>[] = [
    {
      title: t.title,
      note: isOwner ? (isOn ? undefined : t.off) : t.ownersOnly,
      fields: [
        { kind: 'tick', ...at('isOn') },
        ...(isOn
          ? ([
              { kind: 'text', ...at('base_url'), hint: t.urlHint },
              { kind: 'text', ...at('model') },
              { kind: 'password', ...at('api_key'), hint: llm?.api_key_set ? t.keySet : t.keyNone },
            ] as const)
          : []),
      ],
    },
    {
      title: a.title,
      note: isOwner ? (!hasAssistant ? a.off : assistant === null ? a.usual : undefined) : a.ownersOnly,
      fields: assistantFields(hasAssistant, assistant?.api_key_set === true),
    },
  ];
  return <EditForm label={t.title} form={form} isPage isReadOnly={!isOwner} groups={groups} />;
}
