import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { AccessGroupDetail } from '../../../contract/access-groups.ts';
import type { Tagged } from '../../api/client.ts';
import { bytesText } from '../../language/formats.ts';
import { EditForm } from '../../parts/edit-form.tsx';
import { labelledBy } from '../../parts/fields.tsx';
import { foundFiles } from '../../parts/record-choices.ts';
import { rereadAs, useRecordForm } from '../../parts/record-form.ts';
import { RecordLink } from '../../parts/record-link.tsx';
import { RecordSet } from '../../parts/record-set.tsx';
import { useReload } from '../../parts/reload.ts';
import { Remove } from '../../parts/remove.tsx';
import { useMay } from '../../parts/shop.ts';
import { accessGroupsText as t } from '../../texts/access-groups.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Columns, PageHead, Section } from '../../ui/page.tsx';
import { useShortcuts } from '../../ui/shortcuts.ts';
import { Members } from './members.tsx';
import { calls, changeFiles, changePages, foundPages, groupRecord } from './queries.ts';

const route = getRouteApi('/access-groups/$id');

export function AccessGroupPage() {
  const { id } = route.useParams();
  const navigate = route.useNavigate();
  const group = useQuery(groupRecord(id));
  useShortcuts({ escape: () => void navigate({ to: '/access-groups' }) });
  return (
    <Loaded query={group} rows={10}>
      {(record) => <Group {...record} />}
    </Loaded>
  );
}

function Group({ value: group, etag }: Tagged<AccessGroupDetail>) {
  const { id, name } = group;
  const navigate = route.useNavigate();
  const may = useMay();
  const reload = useReload();
  const mayChange = may('admin_api.access_groups.write');
  return (
    <>
      <PageHead title={name} note={<code>{group.slug}</code>}>
        <ButtonLink to="/access-groups" keys="escape">
          {t.back}
        </ButtonLink>
        {mayChange ? (
          <Remove
            name={name}
            act={t.remove}
            run={() => calls.delete(id)}
            onDone={async () => {
              await navigate({ to: '/access-groups' });
              void reload('access_groups');
            }}
          >
            <p>{t.removal(group.member_count)}</p>
          </Remove>
        ) : null}
      </PageHead>
      <Columns>
        <div>
          <Details group={group} etag={etag} isReadOnly={!mayChange} />
          <Products group={group} />
        </div>
        <div>
          <Section title={t.files.title}>
            <RecordSet
              label={t.files.find}
              none={t.files.none}
              search={foundFiles}
              mayChange={mayChange && may('admin_api.files.read')}
              isOrdered
              change={async (edit) => {
                await changeFiles(id, edit);
                await reload('access_groups');
              }}
              items={group.files.map((file) => ({
                id: file.id,
                name: file.original_filename,
                view: (
                  <>
                    {file.original_filename} <span className="muted">{bytesText(file.file_size)}</span>
                  </>
                ),
              }))}
            />
          </Section>
          <Section title={t.pages.title}>
            <RecordSet
              label={t.pages.find}
              none={t.pages.none}
              search={foundPages}
              mayChange={mayChange && may('admin_api.pages.read')}
              change={async (edit) => {
                await changePages(id, edit);
                await reload('access_groups');
              }}
              items={group.pages.map((page) => ({
                id: page.id,
                name: page.title,
                view: (
                  <>
                    {page.title} <code className="muted">{page.slug}</code>
                  </>
                ),
              }))}
            />
          </Section>
        </div>
        <div>
          <Members group={group} mayChange={mayChange} />
        </div>
      </Columns>
    </>
  );
}

const at = labelledBy(t.fields);
const fields = [
  { kind: 'text', ...at('name') },
  { kind: 'text', ...at('slug'), hint: t.slugHint },
  { kind: 'area', ...at('description') },
] as const;
const valuesOf = ({ name, slug, description }: AccessGroupDetail) => ({ name, slug, description: description ?? '' });

function Details({ group, etag, isReadOnly }: { group: AccessGroupDetail; etag: string | undefined; isReadOnly: boolean }) {
  const reload = useReload();
  const form = useRecordForm({
    values: valuesOf(group),
    etag,
    send: (values, options) => calls.update(group.id, { ...values, description: values.description || null }, options),
    reread: rereadAs(() => calls.get(group.id), valuesOf),
    onSaved: () => void reload('access_groups'),
  });
  return (
    <Section title={t.details}>
      <EditForm label={t.details} form={form} isReadOnly={isReadOnly} fields={fields} />
    </Section>
  );
}

/** The products whose buyers join; that is changed at the product. */
function Products({ group: { granting_products: products } }: { group: AccessGroupDetail }) {
  return (
    <Section title={t.products.title}>
      {products.length === 0 ? <p className="muted">{t.products.none}</p> : null}
      <ul className="rows">
        {products.map((product) => (
          <li key={product.product_id}>
            <div>
              <RecordLink permission="admin_api.products.read" to="/products/$id" params={{ id: product.product_id }}>
                {product.product_name}
              </RecordLink>
            </div>
            <span className="muted">
              {product.is_subscription
                ? t.products.subscription
                : product.duration_days === null
                  ? t.forever
                  : t.products.days(product.duration_days)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
