import { useEffect, useEffectEvent, useRef } from 'react';
import type { Prompt } from '../../contract/prompts.ts';
import type { JsonObject } from '../../contract/run-events.ts';
import { api } from '../api/client.ts';
import { runPartsText } from '../texts/run-parts.ts';
import { Form } from '../ui/form.tsx';
import { ParameterFields } from './parameter-form.tsx';
import { useRecordForm } from './record-form.ts';
import { useReloadTasks } from './tasks.ts';

const t = runPartsText.prompt;

type Props = {
  run: { task_id: number; id: number };
  prompt: Pick<Prompt, 'id' | 'label' | 'fields'>;
  onDone?(): void;
  takesFocus?(): boolean;
};

/**
 * The question of a run as the form that answers it; what the server refuses stands at its field. `takesFocus`: whether it may be answered
 * at once, because nobody is at anything else.
 */
export function PromptForm({ run, prompt: { id, label, fields }, onDone, takesFocus }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const isWanted = useEffectEvent(() => takesFocus?.() === true);
  useEffect(() => {
    if (isWanted()) place.current?.querySelector<HTMLElement>('input, textarea, select')?.focus();
  }, []);
  const reload = useReloadTasks();
  const form = useRecordForm<{ answers: JsonObject }, unknown>({
    values: { answers: {} },
    send: (body, options) => api.ai_tasks.answer_prompt(run.task_id, run.id, id, body, options),
    onSaved: () => {
      onDone?.();
      return reload();
    },
  });
  return (
    <div ref={place}>
      <Form label={t.form(label)} form={form} submit={t.send} keys="mod+enter" canSendUnedited>
        <ParameterFields
          declarations={fields}
          values={form.values.answers}
          onValues={(answers) => form.set('answers', answers)}
          errorAt={form.errorAt}
          at="/answers"
        />
      </Form>
    </div>
  );
}
