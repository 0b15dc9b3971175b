import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { PageDraft } from '../../../contract/pages.ts';
import type { Tagged } from '../../api/client.ts';
import { useDelayed } from '../../parts/delayed.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import { Fields, labelledBy } from '../../parts/fields.tsx';
import { Faults } from '../../parts/preview.tsx';
import { changedOnly, useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { defined, type Patch } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { pagesText as t } from '../../texts/pages.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHead, Section } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Content } from './content.tsx';
import { DraftActs, usePageText } from './draft.tsx';
import { OgImage } from './og-image.tsx';
import { PageStage } from './page.tsx';
import { PagePreview } from './preview.tsx';
import { calls, draftPreview, pageRecord, readPage } from './queries.ts';
import { RemovePage } from './remove-page.tsx';
import type { PageSearch } from './routes.ts';
import { Translations } from './translations.tsx';
import './page.css';

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
const meta = [
  { kind: 'text', ...at('meta_title') },
  { kind: 'area', ...at('meta_description'), rows: 2 },
] as const;

/** The page's text and data, and beside them the page as it would be. */
function Editor(record: Tagged<PageDraft>) {
  const { value: page } = record;
  const { id, published } = page;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayChange = useMay()('admin_api.pages.write');
  const patch: Patch<PageSearch> = (change) => void navigate({ search: (old) => defined({ ...old, ...change }), replace: true });
  const { form, warnings, isDrafted, hasDraft, publish, failure, isPublishing } = usePageText(record);
  const draft = useDelayed({ ...form.values, ...defined({ locale: search.locale }) }, PREVIEW_AFTER_MS);
  const preview = useQuery(draftPreview(id, draft));
  return (
    <>
      <PageHead title={page.title} note={<PageStage published={published} hasDraft={hasDraft} />}>
        <ButtonLink to="/pages" keys="escape">
          {t.back}
        </ButtonLink>
        {mayChange ? (
          <>
            <RemovePage id={id} title={page.title} />
            <DraftActs
              page={page}
              isDrafted={isDrafted}
              canPublish={!isDrafted || hasDraft || form.isEdited}
              isBusy={isPublishing}
              publish={publish}
            />
          </>
        ) : null}
      </PageHead>
      {failure ? <Problem error={failure} /> : null}
      <div className={search.alone ? 'beside-preview alone' : 'beside-preview'}>
        <div className="page-text" hidden={search.alone}>
          <EditForm
            label={t.editor}
            form={form}
            isReadOnly={!mayChange}
            nameOf={(name) => t.fields[name]}
            fields={[{ kind: 'text', ...at('title') }]}
            {...(isDrafted ? { submit: t.draft.save } : {})}
            savesRecord
          >
            <Content
              {...form.text('content')}
              isReadOnly={!mayChange}
              isSource={search.text === 'source'}
              showSource={(isSource) => patch({ text: isSource ? 'source' : undefined })}
              begins={search.begin === true}
              begun={() => patch({ begin: undefined })}
            />
            <Faults faults={form.isEdited ? [] : warnings} />
            <Fields fields={meta} form={form} />
            <OgImage id={form.values.og_image_media_id} set={(media) => form.set('og_image_media_id', media)} isReadOnly={!mayChange} />
          </EditForm>
          <Place {...record} />
          <Translations id={id} isReadOnly={!mayChange} />
        </div>
        <PagePreview preview={preview} search={search} patch={patch} />
      </div>
    </>
  );
}

const place = [
  { kind: 'text', ...at('slug'), hint: t.slugHint },
  { kind: 'tick', ...at('published') },
] as const;

const placeOf = ({ slug, published }: { slug: string; published: boolean }) => ({ slug, published });

/** Where the page stands in the shop, and whether it does: this takes effect when it is saved. */
function Place({ value: page, etag }: Tagged<PageDraft>) {
  const reload = useReload();
  const form = useRecordForm({
    values: placeOf(page),
    etag,
    send: (values, options, base) => calls.update(page.id, changedOnly(values, base), options),
    reread: async () => {
      const { value, etag: newer } = await readPage(page.id);
      return { value: placeOf(value), etag: newer };
    },
    onSaved: () => reload('pages', 'themes'),
  });
  return (
    <Section title={t.place}>
      <EditForm
        label={t.place}
        form={form}
        isReadOnly={!useMay()('admin_api.pages.write')}
        nameOf={(name) => t.fields[name]}
        fields={place}
      />
    </Section>
  );
}
