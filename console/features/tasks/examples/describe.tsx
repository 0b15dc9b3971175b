import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { assistantStatus, beginThread, sendMessage } from '../../../parts/assistant/calls.ts';
import { Missing } from '../../../parts/assistant/missing.tsx';
import { assistantText } from '../../../texts/assistant.ts';
import { Button } from '../../../ui/button.tsx';
import { TextArea, Tick } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { Problem } from '../../../ui/problem.tsx';
import '../../../ui/form.css';

const t = assistantText.describe;

/** What a new task should do, in plain words: the assistant writes a draft of it. */
export function DescribeIt() {
  const navigate = useNavigate();
  const status = useQuery(assistantStatus);
  const [text, setText] = useState('');
  const [seesPersonalData, setSees] = useState(false);
  const begin = useMutation({
    mutationFn: async () => {
      const id = await beginThread({ taskId: null }, seesPersonalData);
      await sendMessage(id, text, undefined);
      return id;
    },
    onSuccess: (thread) => void navigate({ to: '/tasks/new/described', search: { thread } }),
  });
  const isReady = status.data?.configured !== false;
  const missing = status.data?.missing ?? null;
  return (
    <Section title={t.title}>
      <form
        className="form describe"
        aria-label={t.title}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (isReady && text.trim() !== '' && !begin.isPending) begin.mutate();
        }}
      >
        {begin.error ? <Problem error={begin.error} /> : null}
        <TextArea label={t.label} hint={t.hint} rows={2} maxLength={20_000} value={text} onValue={setText} />
        {missing === null ? (
          <Tick label={assistantText.seesPersonalData} checked={seesPersonalData} onValue={setSees} />
        ) : (
          <Missing sentence={missing} />
        )}
        <div className="acts">
          <Button kind="first" type="submit" disabled={!isReady || begin.isPending || text.trim() === ''}>
            {t.act}
          </Button>
        </div>
      </form>
    </Section>
  );
}
