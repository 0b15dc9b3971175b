import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SourceWarning } from '../../../contract/source-warning.ts';
import type { ThemeTemplate } from '../../../contract/themes.ts';
import type { Tagged } from '../../api/client.ts';
import { useDelayed } from '../../parts/delayed.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import { Faults, PreviewSide } from '../../parts/preview.tsx';
import { rereadAs, useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { useMay } from '../../parts/shop.ts';
import { themesText as t } from '../../texts/themes.ts';
import { SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { calls, pages, templatePreview, templateRecord } from './queries.ts';

const PREVIEW_AFTER_MS = 400;
const isOfPage = (path: string): boolean => path.startsWith('templates/page.');

type Props = { themeId: number; path: string; pageId: number | undefined; showIn(page: number | undefined): void; isReadOnly: boolean };

export function TemplateEditor(props: Props) {
  const template = useQuery(templateRecord(props.themeId, props.path));
  return <Loaded query={template}>{(record) => <Editor {...props} template={record} />}</Loaded>;
}

/** The source of a template, and beside it what it would show. */
function Editor({ themeId, path, pageId, showIn, isReadOnly, template }: Props & { template: Tagged<ThemeTemplate> }) {
  const may = useMay();
  const reload = useReload();
  const [warnings, setWarnings] = useState<readonly SourceWarning[]>([]);
  const form = useRecordForm({
    values: { content: template.value.content },
    etag: template.etag,
    send: (values, options) => calls.save_template(themeId, path, values, options),
    reread: rereadAs(
      () => calls.get_template(themeId, path),
      ({ content: saved }) => ({ content: saved }),
    ),
    onSaved: (saved) => {
      setWarnings(saved.warnings);
      void reload('themes', 'pages');
    },
  });
  const content = useDelayed(form.values.content, PREVIEW_AFTER_MS);
  const preview = useQuery(templatePreview(themeId, { path, content, ...(isOfPage(path) ? {} : { page_id: pageId ?? null }) }));
  const known = useQuery({ ...pages, enabled: may('admin_api.pages.read') && !isOfPage(path) });
  return (
    <div className="beside-preview">
      <div>
        <EditForm label={path} form={form} isReadOnly={isReadOnly} nameOf={() => t.source}>
          <TextArea label={path} {...form.text('content')} className="input source-input" rows={24} spellCheck={false} />
          <Faults faults={form.isEdited ? [] : warnings} />
        </EditForm>
      </div>
      <PreviewSide preview={preview} title={t.preview}>
        {known.data ? (
          <SelectField
            label={t.showIn}
            value={pageId === undefined ? '' : String(pageId)}
            options={[['', t.alone], ...known.data.map(({ id, title }): [string, string] => [String(id), title])]}
            onValue={(value) => showIn(value === '' ? undefined : Number(value))}
          />
        ) : null}
      </PreviewSide>
    </div>
  );
}

/** A template that others include; those of pages come with their page. */
export function NewTemplate({ themeId, open }: { themeId: number; open(path: string): void }) {
  const reload = useReload();
  const form = useRecordForm({
    values: { path: '' },
    send: ({ path }, options) => calls.createTemplate(themeId, path, options),
    onSaved: ({ path }) => {
      void reload('themes');
      open(path);
    },
  });
  return (
    <Form label={t.newTemplate} form={form} submit={t.add}>
      <TextField label={t.path} hint={t.pathHint} {...form.text('path')} autoFocus autoComplete="off" />
    </Form>
  );
}
