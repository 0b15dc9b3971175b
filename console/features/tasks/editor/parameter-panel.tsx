import { useState } from 'react';
import type { Json } from '../../../../contract/run-events.ts';
import type { ParameterDeclaration } from '../../../../contract/tasks.ts';
import { defined } from '../../../parts/search.ts';
import { editorText } from '../../../texts/editor.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField, Tick } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { ValueField } from '../../../ui/value-field.tsx';

const t = editorText.parameter;
const kinds = Object.entries(editorText.kinds);

type Props = { parameters: readonly ParameterDeclaration[]; onParameters(parameters: readonly ParameterDeclaration[]): void };

/** What a run asks for: each parameter with its kind and the question in the form. */
export function ParameterPanel({ parameters, onParameters }: Props) {
  const set = (at: number, next: ParameterDeclaration): void => onParameters(parameters.map((one, index) => (index === at ? next : one)));
  return (
    <Section title={editorText.parameters}>
      {parameters.length === 0 ? <p className="muted">{editorText.noParameters}</p> : null}
      {parameters.map((one, index) => (
        <One
          // biome-ignore lint/suspicious/noArrayIndexKey: a parameter has no identity but its place while its name is typed
          key={index}
          at={index}
          parameter={one}
          onParameter={(next) => set(index, next)}
          onRemove={() => onParameters(parameters.filter((_, other) => other !== index))}
        />
      ))}
      <Button onClick={() => onParameters([...parameters, { name: '', kind: 'string' }])}>{editorText.addParameter}</Button>
    </Section>
  );
}

/** A new parameter is open, so that it can be written at once. */
function One({ at, parameter, onParameter, onRemove }: FieldsProps & { onRemove(): void }) {
  const { name, kind } = parameter;
  const [isOpen, setOpen] = useState(name === '');
  return (
    <details className="parameter" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code>{name || t.unnamed}</code> <span className="muted">{kindName(kind)}</span>
      </summary>
      <Fields at={at} parameter={parameter} onParameter={onParameter} />
      <Button kind="danger" onClick={onRemove}>
        {t.remove(name || t.unnamed)}
      </Button>
    </details>
  );
}

function kindName(kind: string): string {
  return kinds.find(([one]) => one === kind)?.[1] ?? kind;
}

type FieldsProps = { at: number; parameter: ParameterDeclaration; onParameter(parameter: ParameterDeclaration): void };

function Fields({ at, parameter, onParameter }: FieldsProps) {
  const { name, kind, label, required, options, default: usual } = parameter;
  const known = kinds.some(([one]) => one === kind) ? kinds : [...kinds, [kind, kind] as [string, string]];
  return (
    <div className="fields">
      <TextField
        label={t.name}
        className="input mono"
        spellCheck={false}
        value={name}
        onValue={(value) => onParameter({ ...parameter, name: value })}
      />
      <SelectField
        label={t.kind}
        value={kind}
        options={known}
        onValue={(value) => onParameter(withoutEmpty({ ...parameter, kind: value, default: undefined, options: undefined }))}
      />
      <TextField
        label={t.label}
        value={label ?? ''}
        onValue={(value) => onParameter(withoutEmpty({ ...parameter, label: value === '' ? undefined : value }))}
      />
      <Tick
        label={t.required}
        checked={required === true}
        onValue={(value) => onParameter(withoutEmpty({ ...parameter, required: value ? true : undefined }))}
      />
      {simple.has(kind) ? (
        <ValueField
          kind={kind}
          label={t.usual}
          value={usual}
          pointer={`/parameters/${at}/default`}
          onValue={(value) => onParameter(withoutEmpty({ ...parameter, default: value }))}
        />
      ) : null}
      {kind === 'string' || kind === 'number' ? (
        <TextField
          label={t.options}
          value={(options ?? []).join(', ')}
          onValue={(value) => onParameter(withoutEmpty({ ...parameter, options: optionsOf(value, kind) }))}
        />
      ) : null}
    </div>
  );
}

const simple = new Set(['string', 'number', 'boolean', 'date']);

/** While a list is typed it may end with a comma. */
function optionsOf(written: string, kind: string): Json[] | undefined {
  if (written.trim() === '') return undefined;
  const texts = written.split(',').map((one) => one.trim());
  return kind === 'number' ? texts.map((one) => (one !== '' && Number.isFinite(Number(one)) ? Number(one) : one)) : texts;
}

type Loose = { [Name in keyof ParameterDeclaration]: ParameterDeclaration[Name] | undefined } & Pick<ParameterDeclaration, 'name' | 'kind'>;

/** A declaration without a part has no such member. */
function withoutEmpty({ name, kind, ...parts }: Loose): ParameterDeclaration {
  return { name, kind, ...defined(parts) };
}
