import { useQuery } from '@tanstack/react-query';
import type { PageTranslation } from '../../../contract/pages.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import { useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { pagesText } from '../../texts/pages.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { calls, translations } from './queries.ts';

const t = pagesText.translations;
const fields = ['meta_title', 'meta_description'] as const satisfies readonly PageTranslation['field'][];

/** What search engines are told in other languages. */
export function Translations({ id, isReadOnly }: { id: number; isReadOnly: boolean }) {
  const list = useQuery(translations(id));
  return (
    <Section title={t.title}>
      <Loaded query={list} rows={2}>
        {(known) => <TranslationsForm id={id} known={known} isReadOnly={isReadOnly} />}
      </Loaded>
    </Section>
  );
}

function TranslationsForm({ id, known, isReadOnly }: { id: number; known: readonly PageTranslation[]; isReadOnly: boolean }) {
  const reload = useReload();
  const form = useRecordForm({
    values: { entries: [...known] },
    send: (values, options) => calls.replace_translations(id, values, options),
    onSaved: () => void reload('pages'),
  });
  const { entries } = form.values;
  const set = (next: PageTranslation[]): void => form.set('entries', next);
  const change = (at: number, part: Partial<PageTranslation>): void =>
    set(entries.map((entry, index) => (index === at ? { ...entry, ...part } : entry)));
  return (
    <EditForm label={t.title} form={form} isReadOnly={isReadOnly}>
      {entries.length === 0 ? <p className="muted">{t.none}</p> : null}
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an entry is known by its place while its language is typed
        <fieldset key={index} className="form-fields">
          <legend className="visually-hidden">{t.one(index + 1)}</legend>
          <div className="form-row">
            <TextField
              label={t.locale}
              pointer={`/entries/${index}/locale`}
              error={form.errorAt(`entries/${index}/locale`) ?? form.errorAt(`entries/${index}`)}
              value={entry.locale}
              onValue={(locale) => change(index, { locale })}
              autoComplete="off"
            />
            <SelectField
              label={t.field}
              value={entry.field}
              options={fields.map((field) => [field, pagesText.fields[field]] as const)}
              onValue={(field) => change(index, { field })}
            />
            {isReadOnly ? null : (
              <div className="field-acts">
                <Button kind="quiet" aria-label={t.removeOne(index + 1)} onClick={() => set(entries.filter((_, other) => other !== index))}>
                  {t.remove}
                </Button>
              </div>
            )}
          </div>
          <TextField
            label={t.value}
            pointer={`/entries/${index}/value`}
            error={form.errorAt(`entries/${index}/value`)}
            value={entry.value}
            onValue={(value) => change(index, { value })}
          />
        </fieldset>
      ))}
      {isReadOnly ? null : (
        <div>
          <Button onClick={() => set([...entries, { field: 'meta_title', locale: '', value: '' }])}>{t.add}</Button>
        </div>
      )}
    </EditForm>
  );
}
