import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import type { ExampleTopic } from '../../../../contract/task-examples.ts';
import { without } from '../../../parts/search.ts';
import { useMay } from '../../../parts/shop.ts';
import { examplesText as t } from '../../../texts/examples.ts';
import { permissionText } from '../../../texts/permissions.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { PageHead, Section } from '../../../ui/page.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { SearchField, Toolbar, ViewTab } from '../../../ui/toolbar.tsx';
import { KeptDraft } from '../editor/kept-draft.tsx';
import { type ExampleRow, exampleList } from '../queries.ts';
import { DescribeIt } from './describe.tsx';
import { hasWords } from './has-words.ts';
import './examples.css';

const route = getRouteApi('/tasks/new');

/** Where a new task begins: all examples, found by words and by topic. */
export function GalleryPage() {
  const search = route.useSearch();
  const go = route.useNavigate();
  const navigate = useNavigate();
  const list = useQuery(exampleList);
  const field = useRef<HTMLInputElement>(null);
  const mayWrite = useMay()('admin_api.ai_tasks.write');
  useShortcuts({
    '/': () => field.current?.focus(),
    escape: () => void navigate({ to: '/tasks' }),
    ...(mayWrite ? { n: () => void navigate({ to: '/tasks/new/empty' }) } : {}),
  });
  const topics = [...new Set(list.data?.map(({ topic }) => topic))];
  return (
    <>
      <PageHead title={t.title} note={t.note}>
        {mayWrite ? (
          <ButtonLink keys="n" to="/tasks/new/empty">
            {t.startEmpty}
          </ButtonLink>
        ) : null}
      </PageHead>
      {mayWrite ? <KeptDraft /> : null}
      {mayWrite ? <DescribeIt /> : null}
      <Toolbar>
        <SearchField
          field={field}
          label={t.search}
          value={search.q ?? ''}
          set={(q) => void go({ search: q === '' ? without(search, 'q') : { ...search, q } })}
        />
        <ViewTab isOn={search.topic === undefined} onClick={() => void go({ search: without(search, 'topic') })}>
          {t.all}
        </ViewTab>
        {topics.map((topic) => (
          <ViewTab key={topic} isOn={search.topic === topic} onClick={() => void go({ search: { ...search, topic } })}>
            {t.topics[topic]}
          </ViewTab>
        ))}
      </Toolbar>
      <Loaded query={list} rows={12}>
        {(examples) => {
          const found = examples.filter((one) => (search.topic ?? one.topic) === one.topic && hasWords(one, search.q ?? ''));
          if (found.length > 0) return <Examples examples={found} />;
          return (
            <Empty drawing="search" title={t.noMatch}>
              <Button onClick={() => void go({ search: {} })}>{t.drop}</Button>
            </Empty>
          );
        }}
      </Loaded>
    </>
  );
}

/** The same in a shop that has no task yet. */
export function FirstExamples() {
  const list = useQuery(exampleList);
  return <Loaded query={list}>{(examples) => <Examples examples={examples} />}</Loaded>;
}

function Examples({ examples }: { examples: readonly ExampleRow[] }) {
  const groups: [ExampleTopic, ExampleRow[]][] = [...Map.groupBy(examples, ({ topic }) => topic)];
  return groups.map(([topic, list]) => (
    <Section key={topic} title={t.topics[topic]}>
      <ul className="examples">
        {list.map((example) => (
          <li key={example.name}>
            <Link to="/tasks/new/$example" params={{ example: example.name }}>
              {example.title}
            </Link>
            <p>{example.description}</p>
            <small className="muted">{example.permissions.map((one) => permissionText(one)).join(' · ')}</small>
          </li>
        ))}
      </ul>
    </Section>
  ));
}
