import type { ChangeType } from '../../../contract/changes.ts';
import type { DecisionAct } from '../../../contract/decisions.ts';
import type { SettingsPatch, ShopSettings } from '../../../contract/settings.ts';
import { ApiError, type Tagged } from '../../api/client.ts';
import { EditForm, type FieldGroup, FormGroup } from '../../parts/edit-form.tsx';
import { type Field, Fields } from '../../parts/fields.tsx';
import type { RecordForm } from '../../parts/record-form.ts';
import { useActsAsOwner } from '../../parts/shop.ts';
import { decisionsText as t } from '../../texts/decisions.ts';
import { kindText } from '../../texts/kinds.ts';
import { settingsText } from '../../texts/settings.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Tick } from '../../ui/field.tsx';
import { Banner, Refusal } from '../../ui/tabs.tsx';
import { useSettingsForm } from './settings-form.ts';

const ACTS = Object.keys(t.acts).filter((name): name is DecisionAct => Object.hasOwn(t.actHints, name));
/** What tasks change that a shop may want two persons for. */
const KINDS = [
  ...(['order', 'payment', 'shipment', 'subscription', 'customer', 'customer_address', 'customer_note', 'customer_file'] as const),
  ...(['product', 'variant', 'voucher', 'discount_group', 'tax_rate', 'shipping_method', 'pickup_location', 'order_status'] as const),
  ...(['page', 'theme', 'media', 'file', 'inquiry', 'access_group', 'access_grant', 'mail', 'http_request'] as const),
] satisfies readonly ChangeType[];

type Values = ShopSettings['decisions'] & ShopSettings['four_eyes'] & Pick<ShopSettings, 'policy_four_eyes'>;

const valuesOf = ({ decisions, four_eyes, policy_four_eyes }: ShopSettings): Values => ({ ...decisions, ...four_eyes, policy_four_eyes });

function patchOf({ writes_over, kinds, policy_four_eyes, ...decisions }: Values): SettingsPatch {
  return { decisions, four_eyes: { writes_over, kinds: [...kinds] }, policy_four_eyes };
}

const actField = (act: DecisionAct): Field<Values> => ({
  kind: 'choice',
  name: act,
  label: t.acts[act],
  hint: t.actHints[act],
  pointer: `/decisions/${act}`,
  options: (['token', 'passkey'] as const).map((way) => [way, t.ways[way]] as const),
});

/** What each act asks of whoever decides, which plans take two persons, and whether these rules take two owners; owners alone change it. */
export function DecisionsSection(settings: Tagged<ShopSettings>) {
  const isOwner = useActsAsOwner();
  const form = useSettingsForm(settings, valuesOf, patchOf);
  const suggests = isOwner && settings.value.passkeys_suggested && ACTS.every((act) => form.values[act] === 'token');
  const groups: readonly FieldGroup<Values>[] = [
    {
      title: t.page.asks,
      note: isOwner ? t.page.what : settingsText.approval.ownersOnly,
      fields: ACTS.map(actField),
    },
  ];
  return (
    <>
      {suggests ? (
        <Banner tone="move" act={<Button onClick={() => form.update((values) => ({ ...values, ...everywhere }))}>{t.page.suggest}</Button>}>
          {t.page.suggested}
        </Banner>
      ) : null}
      <EditForm
        label={t.page.title}
        form={form}
        isPage
        isReadOnly={!isOwner}
        nameOf={(name) => labels[name]}
        showFailure={(failure) => missing(failure, form)}
        groups={groups}
      >
        <TwoPersons form={form} />
        <TwoOwners form={form} />
      </EditForm>
    </>
  );
}

const everywhere: ShopSettings['decisions'] = {
  ...{ approve_version: 'passkey', apply_plan: 'passkey', raise_limits: 'passkey' },
  ...{ make_token: 'passkey', change_access: 'passkey', policy: 'passkey' },
};
const labels: Record<keyof Values, string> = {
  ...t.acts,
  writes_over: t.page.writesOver,
  kinds: t.page.kinds,
  policy_four_eyes: t.page.owners,
};

type FormProps = { form: RecordForm<Values, unknown> };

function TwoPersons({ form }: FormProps) {
  return (
    <FormGroup title={t.page.two} note={t.page.twoDetail}>
      <Fields
        form={form}
        fields={[
          {
            kind: 'number',
            name: 'writes_over',
            label: t.page.writesOver,
            hint: t.page.writesHint,
            pointer: '/four_eyes/writes_over',
          },
        ]}
      />
      <Kinds value={form.values.kinds} set={(kinds) => form.set('kinds', kinds)} />
    </FormGroup>
  );
}

function TwoOwners({ form }: FormProps) {
  return (
    <FormGroup title={t.page.ownersTitle} note={t.page.ownersDetail}>
      <Fields form={form} fields={[{ kind: 'tick', name: 'policy_four_eyes', label: t.page.owners }]} />
    </FormGroup>
  );
}

function Kinds({ value, set }: { value: Values['kinds']; set(kinds: Values['kinds']): void }) {
  const others = value.filter((one) => !KINDS.some((known) => known === one));
  const shown: readonly ChangeType[] = [...KINDS, ...others];
  return (
    <fieldset className="kinds" tabIndex={-1} data-pointer="/four_eyes/kinds">
      <legend>{t.page.kinds}</legend>
      {shown.map((kind) => (
        <Tick
          key={kind}
          label={kindText(kind)}
          checked={value.includes(kind)}
          onValue={(isOn) => set(shown.filter((one) => (one === kind ? isOn : value.includes(one))))}
        />
      ))}
    </fieldset>
  );
}

/** What would leave nobody who can decide is refused; the page says who is missing, and leads to where that is mended. */
function missing(failure: unknown, { values, base }: FormProps['form']) {
  if (!(failure instanceof ApiError)) return undefined;
  if (failure.code === 'second_person_missing') {
    const isOfOwners = values.policy_four_eyes && !base.policy_four_eyes;
    return <Missing section="people">{isOfOwners ? t.page.ownerMissing : t.page.applierMissing}</Missing>;
  }
  if (failure.code !== 'passkey_missing') return undefined;
  const acts: unknown = failure.problem?.['acts'];
  const names = ACTS.filter((act) => Array.isArray(acts) && acts.includes(act));
  const isOfOwners = values.policy_four_eyes && names.join() === 'policy';
  const words = names.map((act) => t.acts[act]).join(', ');
  return <Missing section="me">{isOfOwners ? t.page.ownersMissing : t.page.missing(words)}</Missing>;
}

function Missing({ section, children }: { section: 'me' | 'people'; children: string }) {
  return (
    <Refusal
      act={
        <ButtonLink to="/settings/$section" params={{ section }}>
          {section === 'me' ? t.toPasskeys : settingsText.sections.people}
        </ButtonLink>
      }
    >
      {children}
    </Refusal>
  );
}
