import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Theme } from '../../../contract/themes.ts';
import { ifMatch, type Tagged } from '../../api/client.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import { rereadAs, useRecordForm } from '../../parts/record-form.ts';
import { useReload } from '../../parts/reload.ts';
import { Remove } from '../../parts/remove.tsx';
import { defined, type Patch } from '../../parts/search.ts';
import { useMay } from '../../parts/shop.ts';
import { themesText as t } from '../../texts/themes.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHead } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { ThemeStage } from './page.tsx';
import { calls, templates, themeRecord } from './queries.ts';
import type { ThemeSearch } from './routes.ts';
import { NewTemplate, TemplateEditor } from './template-editor.tsx';
import './page.css';

const route = getRouteApi('/themes/$id');

export function ThemePage() {
  const { id } = route.useParams();
  const { template } = route.useSearch();
  const navigate = route.useNavigate();
  const theme = useQuery(themeRecord(id));
  useShortcuts({ escape: () => void (template === undefined ? navigate({ to: '/themes' }) : navigate({ search: {} })) });
  return (
    <Loaded query={theme} rows={8}>
      {(record) => <Shown {...record} />}
    </Loaded>
  );
}

function Shown({ value: theme, etag }: Tagged<Theme>) {
  const { id, name, active } = theme;
  const may = useMay();
  const navigate = route.useNavigate();
  const search = route.useSearch();
  const reload = useReload();
  const mayChange = may('admin_api.themes.write');
  const patch: Patch<ThemeSearch> = (change) => void navigate({ search: (old) => defined({ ...old, ...change }) });
  const activate = useMutation({
    mutationFn: () => calls.activate(id, ifMatch(etag)),
    onSettled: () => reload('themes', 'pages'),
  });
  return (
    <>
      <PageHead title={name} note={<ThemeStage active={active} />}>
        <ButtonLink to="/themes" keys="escape">
          {t.back}
        </ButtonLink>
        {mayChange && !active ? (
          <Button kind="first" disabled={activate.isPending} onClick={() => activate.mutate()}>
            {t.activate}
          </Button>
        ) : null}
        {mayChange ? (
          <Remove
            name={name}
            act={t.remove}
            run={() => calls.delete(id)}
            onDone={async () => {
              await navigate({ to: '/themes' });
              void reload('themes');
            }}
          >
            <p>{t.removal}</p>
          </Remove>
        ) : null}
      </PageHead>
      {activate.error ? <Problem error={activate.error} /> : null}
      <div className="theme">
        <div className="theme-side">
          <Rename theme={theme} etag={etag} isReadOnly={!mayChange} />
          <Templates id={id} open={search.template} go={patch} mayChange={mayChange} />
        </div>
        {search.new ? <NewTemplate themeId={id} open={(path) => patch({ template: path, new: undefined })} /> : null}
        {search.template === undefined || search.new ? null : (
          <TemplateEditor
            key={search.template}
            themeId={id}
            path={search.template}
            pageId={search.page}
            showIn={(page) => patch({ page })}
            isReadOnly={!mayChange}
          />
        )}
        {search.template === undefined && !search.new ? <p className="muted">{t.choose}</p> : null}
      </div>
    </>
  );
}

function Rename({ theme, etag, isReadOnly }: { theme: Theme; etag: string | undefined; isReadOnly: boolean }) {
  const reload = useReload();
  const form = useRecordForm({
    values: { name: theme.name },
    etag,
    send: (values, options) => calls.update(theme.id, values, options),
    reread: rereadAs(
      () => calls.get(theme.id),
      (value) => ({ name: value.name }),
    ),
    onSaved: () => void reload('themes'),
  });
  return (
    <EditForm ofPage isInline label={t.name} form={form} isReadOnly={isReadOnly} fields={[{ kind: 'text', name: 'name', label: t.name }]} />
  );
}

type TemplatesProps = { id: number; open: string | undefined; go: Patch<ThemeSearch>; mayChange: boolean };

function Templates({ id, open, go, mayChange }: TemplatesProps) {
  const list = useQuery(templates(id));
  useShortcuts(mayChange ? { n: () => go({ new: true, template: undefined }) } : {});
  return (
    <section aria-label={t.templates}>
      <div className="section-head">
        <h2>{t.templates}</h2>
        {mayChange ? (
          <Button keys="n" onClick={() => go({ new: true, template: undefined })}>
            {t.newTemplate}
          </Button>
        ) : null}
      </div>
      <Loaded query={list} rows={4}>
        {(all) =>
          all.length === 0 ? (
            <p className="muted">{t.noTemplates}</p>
          ) : (
            <ul className="template-list">
              {all.map(({ path }) => (
                <li key={path}>
                  <button
                    type="button"
                    className="link"
                    aria-current={path === open ? 'true' : undefined}
                    onClick={() => go({ template: path, new: undefined })}
                  >
                    {path}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
