import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Inquiry, InquiryDetail } from '../../../contract/inquiries.ts';
import type { Tagged } from '../../api/client.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import { Fields, labelledBy, valuesIn } from '../../parts/fields.tsx';
import type { Steps } from '../../parts/list-page.tsx';
import { MailStatus, NoMailServer } from '../../parts/mail.tsx';
import { rereadAs, useRecordForm } from '../../parts/record-form.ts';
import { NewSheet } from '../../parts/record-sheet.tsx';
import { useReload } from '../../parts/reload.ts';
import { Remove } from '../../parts/remove.tsx';
import { useMay } from '../../parts/shop.ts';
import { Moment } from '../../parts/values.tsx';
import { inquiriesText as t } from '../../texts/inquiries.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section, Sentence } from '../../ui/page.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { calls, inquiryRecord } from './queries.ts';
import './page.css';

export function InquirySheet({ id, steps, close }: { id: number; steps: Steps; close(): void }) {
  const inquiry = useQuery(inquiryRecord(id));
  const { value } = inquiry.data ?? {};
  return (
    <Sheet title={value ? value.subject || t.noSubject : t.one} close={close} {...steps}>
      <Loaded query={inquiry}>{(record) => <Shown {...record} close={close} />}</Loaded>
    </Sheet>
  );
}

function Shown({ value: inquiry, etag, close }: Tagged<InquiryDetail> & { close(): void }) {
  const may = useMay();
  const reload = useReload();
  const [isCorrecting, setCorrecting] = useState(false);
  const { id, name, email, customer_id, answer, answered_at, answer_mail } = inquiry;
  const mayChange = may('admin_api.inquiries.write');
  return (
    <>
      <p className="muted">
        {customer_id !== null && may('admin_api.customers.read') ? (
          <Link to="/customers/$id" params={{ id: customer_id }}>
            {name || email}
          </Link>
        ) : (
          name || email
        )}{' '}
        · {email} · <Moment at={inquiry.created_at} />
      </p>
      {isCorrecting ? (
        <Correction inquiry={inquiry} etag={etag} close={() => setCorrecting(false)} />
      ) : (
        <p className="written inquiry-question">{inquiry.body}</p>
      )}
      {answered_at === null ? (
        mayChange && !isCorrecting ? (
          <Answer inquiry={inquiry} />
        ) : null
      ) : (
        <Section title={t.answer}>
          <p className="written">{answer}</p>
          <p className="muted">
            <Sentence words={t.answeredAt} parts={[<Moment key="at" at={answered_at} />]} />
            {answer_mail === null ? null : (
              <>
                {' '}
                · <Sentence words={t.mail} parts={[<MailStatus key="status" status={answer_mail} />]} />
              </>
            )}
          </p>
          {answer_mail === 'queued' ? <NoMailServer /> : null}
        </Section>
      )}
      {mayChange && !isCorrecting ? (
        <p className="acts">
          <Button onClick={() => setCorrecting(true)}>{t.correct}</Button>
          <Remove
            name={inquiry.subject || t.noSubject}
            act={t.remove}
            run={() => calls.delete(id)}
            onDone={() => {
              close();
              void reload('inquiries');
            }}
          />
        </p>
      ) : null}
    </>
  );
}

/** Sends the answer by mail; there is one. */
function Answer({ inquiry: { id, email } }: { inquiry: Inquiry }) {
  const reload = useReload();
  const form = useRecordForm({
    values: { body: '' },
    send: async (values, options) => {
      try {
        return await calls.answer(id, values, options);
      } catch (error) {
        // Somebody else has answered: their answer is shown beside what was written here.
        void reload('inquiries');
        throw error;
      }
    },
    onSaved: () => void reload('inquiries', 'dashboard'),
  });
  return (
    <Section title={t.answer}>
      <EditForm label={t.answer} form={form} submit={t.send}>
        <TextArea label={t.answerTo(email)} rows={6} {...form.text('body')} />
        <NoMailServer />
      </EditForm>
    </Section>
  );
}

const at = labelledBy(t.fields);
const fields = [
  { kind: 'text', ...at('name'), autoFocus: true },
  { kind: 'email', ...at('email') },
  { kind: 'text', ...at('subject') },
  { kind: 'area', ...at('body'), rows: 6 },
] as const;
const valuesOf = (inquiry: Inquiry) => valuesIn(fields, inquiry);

function Correction({ inquiry, etag, close }: { inquiry: Inquiry; etag: string | undefined; close(): void }) {
  const reload = useReload();
  const form = useRecordForm({
    values: valuesOf(inquiry),
    etag,
    send: (values, options) => calls.update(inquiry.id, values, options),
    reread: rereadAs(() => calls.get(inquiry.id), valuesOf),
    onSaved: () => {
      void reload('inquiries');
      close();
    },
  });
  return <EditForm label={t.correct} form={form} fields={fields} close={close} />;
}

export function NewInquiry({ close, open }: { close(): void; open(id: number): void }) {
  return (
    <NewSheet
      title={t.create}
      submit={t.add}
      start={() => ({ name: '', email: '', subject: '', body: '' })}
      create={calls.create}
      resources={['inquiries']}
      fields={(form) => <Fields fields={fields} form={form} />}
      opened={({ id }) => open(id)}
      close={close}
    />
  );
}
