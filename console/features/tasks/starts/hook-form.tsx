import type { HookPreset, HookRepeats } from '../../../../contract/hooks.ts';
import { declarationsOf } from '../../../parts/declarations.ts';
import { type FieldRows, Fields, labelledBy, partOf } from '../../../parts/fields.tsx';
import type { RecordForm } from '../../../parts/record-form.ts';
import { gatheringText } from '../../../texts/gathering.ts';
import { hooksText as t } from '../../../texts/hooks.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import type { TaskDetail } from '../queries.ts';
import { firstSignature, type HookValues, isKnowable, type Signed } from './hook-values.ts';
import { StartFields } from './start-fields.tsx';
import { GivenParameters } from './starts.tsx';

type Props = { detail: TaskDetail; form: RecordForm<HookValues, unknown>; isNew: boolean };

const presets = ['none', 'github', 'stripe', 'shopify', 'custom'] as const satisfies readonly (HookPreset | 'none')[];

const hookRepeats = ['once', 'each'] as const satisfies readonly HookRepeats[];

const at = labelledBy(t.fields);
const rows: FieldRows<HookValues> = [
  { kind: 'text', ...at('idempotency_header'), hint: t.repeatHint },
  { kind: 'choice', ...at('repeats'), options: hookRepeats.map((one) => [one, t.repeats[one]] as const), isShown: isKnowable },
  { kind: 'number', ...at('rate_per_minute') },
  { kind: 'tick', ...at('raw_body'), isShown: ({ parameter }) => parameter !== null },
  { kind: 'tick', ...at('wait') },
  { kind: 'tick', ...at('enabled') },
];

export function HookFields({ detail, form, isNew }: Props) {
  const { values, set } = form;
  const declarations = detail.current_version ? declarationsOf(detail.current_version) : [];
  const takers = declarations.filter(({ kind }) => kind === 'json').map(({ name }) => name);
  const own = values.parameter === null || takers.includes(values.parameter) ? [] : [values.parameter];
  const others = declarations.filter(({ name }) => name !== values.parameter);
  return (
    <>
      <TextField label={t.fields.name} {...form.text('name')} autoFocus={isNew} autoComplete="off" />
      <SelectField
        label={t.fields.parameter}
        hint={t.parameterHint}
        pointer="/parameter"
        error={form.errorAt('parameter')}
        value={values.parameter ?? ''}
        options={[['', t.noParameter], ...[...takers, ...own].map((name) => [name, name] as const)]}
        onValue={(name) => set('parameter', name === '' ? null : name)}
      />
      <Signature
        verify={values.verify}
        isNew={isNew || form.base.verify === null}
        errors={form.errors}
        set={(verify) => set('verify', verify)}
      />
      <Fields fields={rows} form={form} />
      <StartFields form={form} keys={[]} keyHint={gatheringText.callKey} />
      {others.length === 0 ? null : (
        <Section title={t.fields.parameters}>
          <GivenParameters declarations={others} form={form} />
        </Section>
      )}
    </>
  );
}

type SignatureProps = {
  verify: Signed | null;
  /** No secret of the sender is stored yet. */
  isNew: boolean;
  errors: Props['form']['errors'];
  set(verify: Signed | null): void;
};

const isCustom = ({ preset }: Signed): boolean => preset === 'custom';
const same = <T extends string>(names: readonly T[]) => names.map((name) => [name, name] as const);
const signedRows = (isNew: boolean): FieldRows<Signed> => [
  { kind: 'secret', name: 'secret', label: isNew ? t.secret : t.newSecret, hint: isNew ? t.secretHint : t.keepHint },
  { kind: 'text', name: 'header', label: t.header, isShown: isCustom },
  [
    { kind: 'choice', name: 'algorithm', label: t.algorithm, options: same(['sha256', 'sha512']), isShown: isCustom },
    { kind: 'choice', name: 'encoding', label: t.encoding, options: same(['hex', 'base64']), isShown: isCustom },
  ],
  { kind: 'text', name: 'prefix', label: t.prefix, isShown: isCustom },
  {
    kind: 'number',
    name: 'tolerance_seconds',
    label: t.tolerance,
    hint: t.toleranceHint,
    isShown: ({ preset }) => preset === 'stripe',
  },
];

/** How the sender signs its calls. Of a preset everything but the secret is fixed. */
function Signature({ verify, isNew, errors, set }: SignatureProps) {
  const choose = (preset: HookPreset | 'none'): void => set(preset === 'none' ? null : { ...(verify ?? firstSignature), preset });
  return (
    <>
      <SelectField
        label={t.fields.verify}
        pointer="/verify/preset"
        error={errors.find(({ pointer }) => pointer === '/verify/preset')?.detail}
        value={verify?.preset ?? 'none'}
        options={presets.map((preset) => [preset, t.presets[preset]] as const)}
        onValue={choose}
      />
      {verify === null ? null : <Fields fields={signedRows(isNew)} form={partOf(verify, set, errors)} at="/verify" />}
    </>
  );
}
