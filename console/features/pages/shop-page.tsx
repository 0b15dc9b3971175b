import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { PageDetail } from '../../../contract/pages.ts';
import type { SourceWarning } from '../../../contract/source-warning.ts';
import type { Tagged } from '../../api/client.ts';
import { useDelayed } from '../../parts/delayed.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import { Fields, labelledBy } from '../../parts/fields.tsx';
import { Faults, PreviewSide } from '../../parts/preview.tsx';
import { changedOnly, rereadAs, useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { Remove } from '../../parts/remove.tsx';
import { defined } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { pagesText as t } from '../../texts/pages.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHead } from '../../ui/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { OgImage } from './og-image.tsx';
import { PageStage } from './page.tsx';
import { calls, draftPreview, pageRecord } from './queries.ts';
import { Translations } from './translations.tsx';

const route = getRouteApi('/pages/$id');
const PREVIEW_AFTER_MS = 400;

export function ShopPage() {
  const { id } = route.useParams();
  const navigate = route.useNavigate();
  const page = useQuery(pageRecord(id));
  useShortcuts({ escape: () => void navigate({ to: '/pages' }) });
  return (
    <Loaded query={page} rows={10}>
      {(record) => <Editor {...record} />}
    </Loaded>
  );
}

const at = labelledBy(t.fields);
const head = [
  [
    { kind: 'text', ...at('title') },
    { kind: 'text', ...at('slug') },
  ],
  { kind: 'tick', ...at('published') },
] as const;
const meta = [
  { kind: 'text', ...at('meta_title') },
  { kind: 'area', ...at('meta_description'), rows: 2 },
] as const;

function valuesOf({ title, slug, published, content, meta_title, meta_description, og_image_media_id }: PageDetail) {
  return { title, slug, published, content, meta_title, meta_description, og_image_media_id };
}

/** The page's text and data, and beside them the page as it would be. */
function Editor({ value: page, etag }: Tagged<PageDetail>) {
  const { id } = page;
  const { locale } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const reload = useReload();
  const mayChange = may('admin_api.pages.write');
  const [warnings, setWarnings] = useState<readonly SourceWarning[]>([]);
  const form = useRecordForm({
    values: valuesOf(page),
    etag,
    send: (values, options, base) => calls.update(id, changedOnly(values, base), options),
    reread: rereadAs(() => calls.get(id), valuesOf),
    onSaved: (saved) => {
      setWarnings(saved.warnings);
      void reload('pages', 'themes');
    },
  });
  const { slug: _, published: __, ...shown } = form.values;
  const draft = useDelayed({ ...shown, ...defined({ locale }) }, PREVIEW_AFTER_MS);
  const preview = useQuery(draftPreview(id, draft));
  return (
    <>
      <PageHead title={page.title} note={<PageStage published={page.published} />}>
        <ButtonLink to="/pages" keys="escape">
          {t.back}
        </ButtonLink>
        {mayChange ? (
          <Remove
            name={page.title}
            act={t.remove}
            run={() => calls.delete(id)}
            onDone={async () => {
              await navigate({ to: '/pages' });
              void reload('pages', 'themes');
            }}
          >
            <p>{t.removal}</p>
          </Remove>
        ) : null}
      </PageHead>
      <div className="beside-preview">
        <div>
          <EditForm label={t.editor} form={form} isReadOnly={!mayChange} nameOf={(name) => t.fields[name]} fields={head}>
            <TextArea
              label={t.fields.content}
              hint={t.contentHint}
              {...form.text('content')}
              className="input source-input"
              rows={18}
              spellCheck={false}
            />
            <Faults faults={form.isEdited ? [] : warnings} />
            <Fields fields={meta} form={form} />
            <OgImage id={form.values.og_image_media_id} set={(media) => form.set('og_image_media_id', media)} isReadOnly={!mayChange} />
          </EditForm>
          <Translations id={id} isReadOnly={!mayChange} />
        </div>
        <PreviewSide preview={preview} title={t.preview}>
          <TextField
            label={t.locale}
            hint={t.localeHint}
            value={locale ?? ''}
            onValue={(value) => void navigate({ search: value === '' ? {} : { locale: value }, replace: true })}
          />
        </PreviewSide>
      </div>
    </>
  );
}
