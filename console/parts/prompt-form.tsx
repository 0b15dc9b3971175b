import type { Prompt } from '../../contract/prompts.ts';
import type { Json, JsonObject } from '../../contract/run-events.ts';
import { api } from '../api/client.ts';
import { runPartsText } from '../texts/run-parts.ts';
import { Form } from '../ui/form.tsx';
import { ValueField } from '../ui/value-field.tsx';
import { useRecordForm } from './record-form.ts';
import { useReloadTasks } from './tasks.ts';

const t = runPartsText.prompt;

type Props = { run: { task_id: number; id: number }; prompt: Pick<Prompt, 'id' | 'label' | 'fields'>; onDone?(): void };

/** The question of a run as the form that answers it; what the server refuses stands at its field. */
export function PromptForm({ run, prompt: { id, label, fields }, onDone }: Props) {
  const reload = useReloadTasks();
  const form = useRecordForm<{ answers: JsonObject }, unknown>({
    values: { answers: {} },
    send: (body, options) => api.ai_tasks.answer_prompt(run.task_id, run.id, id, body, options),
    onSaved: () => {
      onDone?.();
      return reload();
    },
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
