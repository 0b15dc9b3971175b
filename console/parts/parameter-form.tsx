import type { ReactNode } from 'react';
import type { CallOptions } from '../../contract/calls.ts';
import type { Json, JsonObject } from '../../contract/run-events.ts';
import type { ParameterDeclaration } from '../../contract/tasks.ts';
import { runPartsText as t } from '../texts/run-parts.ts';
import { valueText } from '../ui/change.tsx';
import { Form } from '../ui/form.tsx';
import { useRecordForm } from './record-form.ts';
import './parameter-form.css';
import { ValueField } from '../ui/value-field.tsx';
import { type RecordKind, recordKinds } from './record-choices.ts';
import { RecordsField } from './records-field.tsx';
import { UploadedFileField } from './uploaded-file-field.tsx';

type FieldsProps = {
  declarations: readonly ParameterDeclaration[];
  values: JsonObject;
  onValues(values: JsonObject): void;
  /** The refusal at a JSON pointer: `/parameters/days`. */
  errorAt(pointer: string): string | undefined;
  /** Where the parameters stand in the body that is sent. */
  at?: string;
};

/** The fields of a version's parameters, each in the form of its kind. For a form that has other fields too. */
export function ParameterFields({ declarations, values, onValues, errorAt, at = '/parameters' }: FieldsProps) {
  return declarations.map((declaration) => {
    const { name, kind, label, required, options, default: usual } = declaration;
    const pointer = `${at}/${name}`;
    const props = {
      kind,
      label: `${label || name}${required && usual === undefined ? ' *' : ''}`,
      // The names are a script's own; one may be that of a property of every object.
      value: Object.hasOwn(values, name) ? values[name] : undefined,
      onValue: (value: Json | undefined) => onValues(withValue(values, name, value)),
      options,
      isSet: typeof usual === 'boolean',
      required: required && usual === undefined,
      error: errorAt(pointer),
      hint: usual === undefined || usual === null || typeof usual === 'boolean' ? undefined : t.fields.leftEmpty(valueText(usual)),
      pointer,
    };
    const records = recordKindOf(kind);
    if (records && !options) return <RecordsField key={name} {...props} kind={records} />;
    if (kind === 'file' && !options) return <UploadedFileField key={name} {...props} />;
    return <ValueField key={name} {...props} />;
  });
}

type FormProps<R> = {
  label: string;
  declarations: readonly ParameterDeclaration[];
  /** The parameters of an earlier run, which the form starts with instead of the defaults. */
  given?: JsonObject;
  submit?: string;
  acts?: ReactNode;
  /** Further fields above the acts. */
  children?: ReactNode;
  /** `options` carries the Idempotency-Key, and must be passed to the call. */
  send(parameters: JsonObject, options: CallOptions): Promise<R>;
  onDone(answer: R): void;
};

/** Asks for the parameters of a run and sends them; what the server refuses stands at its field. */
export function ParameterForm<R>({ label, declarations, given, submit = t.parameters.run, acts, children, send, onDone }: FormProps<R>) {
  const all = withUndeclared(declarations, given ?? {});
  const form = useRecordForm({
    values: { parameters: startValues(all, given) },
    send: ({ parameters }, options) => send(parameters, options),
    onSaved: onDone,
  });
  return (
    <Form label={label} form={form} submit={submit} keys="mod+enter" canSendUnedited acts={acts}>
      {all.length === 0 ? <p className="muted">{t.parameters.none}</p> : null}
      <ParameterFields
        declarations={all}
        values={form.values.parameters}
        onValues={(parameters) => form.set('parameters', parameters)}
        errorAt={form.errorAt}
      />
      {children}
    </Form>
  );
}

/** What a form starts with: what an earlier run was given, else the defaults. */
export function startValues(declarations: readonly ParameterDeclaration[], given?: JsonObject): JsonObject {
  if (given) return given;
  return Object.fromEntries(declarations.flatMap(({ name, default: usual }) => (usual === undefined ? [] : [[name, usual] as const])));
}

/** Names that the version does not declare are accepted, such as the event of a trigger; an earlier run may have some. */
function withUndeclared(declarations: readonly ParameterDeclaration[], given: JsonObject): readonly ParameterDeclaration[] {
  const others = Object.keys(given).filter((name) => declarations.every((declared) => declared.name !== name));
  return [...declarations, ...others.map((name) => ({ name, kind: 'json' }))];
}

function withValue(values: JsonObject, name: string, value: Json | undefined): JsonObject {
  const others = Object.entries(values).filter(([one]) => one !== name);
  return Object.fromEntries(value === undefined ? others : [...others, [name, value] as const]);
}

function recordKindOf(kind: string): RecordKind | undefined {
  return recordKinds.find((one) => one === kind);
}
