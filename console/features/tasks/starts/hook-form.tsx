import type { HookPreset, HookRepeats } from '../../../../contract/hooks.ts';
import { declarationsOf } from '../../../parts/declarations.ts';
import { type FieldRows, Fields, labelledBy } from '../../../parts/fields.tsx';
import type { RecordForm } from '../../../parts/record-form.ts';
import { hooksText as t } from '../../../texts/hooks.ts';
import { NumberField, SecretField, SelectField, TextField } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import type { TaskDetail } from '../queries.ts';
import { firstSignature, type HookValues, isKnowable, type Signed } from './hook-values.ts';
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
        errorAt={form.errorAt}
        set={(verify) => set('verify', verify)}
      />
      <Fields fields={rows} form={form} />
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
  errorAt(pointer: string): string | undefined;
  set(verify: Signed | null): void;
};

/** How the sender signs its calls. Of a preset everything but the secret is fixed. */
function Signature({ verify, isNew, errorAt, set }: SignatureProps) {
  const at = (name: string) => ({ pointer: `/verify/${name}`, error: errorAt(`/verify/${name}`) });
  const choose = (preset: HookPreset | 'none'): void => set(preset === 'none' ? null : { ...(verify ?? firstSignature), preset });
  return (
    <>
      <SelectField
        label={t.fields.verify}
        {...at('preset')}
        value={verify?.preset ?? 'none'}
        options={presets.map((preset) => [preset, t.presets[preset]] as const)}
        onValue={choose}
      />
      {verify === null ? null : (
        <SecretField
          label={isNew ? t.secret : t.newSecret}
          hint={isNew ? t.secretHint : t.keepHint}
          {...at('secret')}
          value={verify.secret}
          onValue={(secret) => set({ ...verify, secret })}
        />
      )}
      {verify?.preset === 'custom' ? (
        <>
          <TextField
            label={t.header}
            {...at('header')}
            autoComplete="off"
            value={verify.header}
            onValue={(header) => set({ ...verify, header })}
          />
          <div className="form-row">
            <SelectField
              label={t.algorithm}
              value={verify.algorithm}
              options={(['sha256', 'sha512'] as const).map((name) => [name, name] as const)}
              onValue={(algorithm) => set({ ...verify, algorithm })}
            />
            <SelectField
              label={t.encoding}
              value={verify.encoding}
              options={(['hex', 'base64'] as const).map((name) => [name, name] as const)}
              onValue={(encoding) => set({ ...verify, encoding })}
            />
          </div>
          <TextField
            label={t.prefix}
            {...at('prefix')}
            autoComplete="off"
            value={verify.prefix}
            onValue={(prefix) => set({ ...verify, prefix })}
          />
        </>
      ) : null}
      {verify?.preset === 'stripe' ? (
        <NumberField
          label={t.tolerance}
          hint={t.toleranceHint}
          {...at('tolerance_seconds')}
          value={verify.tolerance_seconds}
          onValue={(seconds) => set({ ...verify, tolerance_seconds: seconds })}
        />
      ) : null}
    </>
  );
}
