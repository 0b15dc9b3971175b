import type { Prompt } from '../../contract/prompts.ts';
import type { Json, JsonObject } from '../../contract/run-events.ts';
import { runPartsText } from '../texts/run-parts.ts';
import { Form } from '../ui/form.tsx';
import { ValueField } from '../ui/value-field.tsx';
import { useRecordForm } from './record-form.ts';

const t = runPartsText.prompt;

type Props = {
  prompt: Pick<Prompt, 'label' | 'fields'>;
  /** `options` carries the Idempotency-Key, and must be passed to the call. */
  send(answers: JsonObject, options: { headers?: Record<string, string> }): Promise<unknown>;
  onDone?(): void;
};

/** The question of a run as a form; what the server refuses stands at its field. */
export function PromptForm({ prompt: { label, fields }, send, onDone }: Props) {
  const form = useRecordForm<{ answers: JsonObject }, unknown>({
    values: { answers: {} },
    send: ({ answers }, options) => send(answers, options),
    ...(onDone === undefined ? {} : { onSaved: onDone }),
  });
  const { answers } = form.values;
  function set(name: string, value: Json | undefined): void {
    const others = Object.entries(answers).filter(([one]) => one !== name);
    form.set('answers', Object.fromEntries(value === undefined ? others : [...others, [name, value] as const]));
  }
  return (
    <Form label={t.form(label)} form={form} submit={t.send} canSendUnedited>
      {fields.map(({ name, kind, label: words, required, options }) => (
        <ValueField
          key={name}
          kind={kind}
          label={`${words || name}${required ? ' *' : ''}`}
          required={required}
          options={options}
          value={Object.hasOwn(answers, name) ? answers[name] : undefined}
          onValue={(value) => set(name, value)}
          error={form.errorAt(`/answers/${name}`)}
          pointer={`/answers/${name}`}
        />
      ))}
    </Form>
  );
}
