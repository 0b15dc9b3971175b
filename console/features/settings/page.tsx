import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ShopSettings } from '../../../contract/settings.ts';
import type { Tagged } from '../../api/client.ts';
import { useMay } from '../../parts/shop.ts';
import { settingsText as t } from '../../texts/settings.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty, PageHead } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ApprovalSection } from './approval.tsx';
import { AssistantSection } from './assistant.tsx';
import { CourierSection } from './courier.tsx';
import { MailSection } from './mail.tsx';
import { MeSection } from './me.tsx';
import { ModelSection } from './model.tsx';
import { PeopleSection } from './people.tsx';
import { settingsRecord } from './queries.ts';
import { RunnersSection } from './runners.tsx';
import { ShopSection } from './shop.tsx';
import { WebhooksSection } from './webhooks.tsx';
import './page.css';

const route = getRouteApi('/settings/$section');

type Section = keyof typeof t.sections;

/** Who may see which section; a section without a permission is everybody's. */
const needed: Record<Section, string | null> = {
  me: null,
  shop: 'admin_api.settings.read',
  approval: 'admin_api.settings.read',
  people: 'admin_api.admins.read',
  courier: 'admin_api.settings.read',
  mail: 'admin_api.settings.read',
  model: 'admin_api.settings.read',
  runners: 'admin_api.runner.read',
  webhooks: 'admin_api.webhooks.read',
};

const views: Record<Section, () => ReactNode> = {
  me: MeSection,
  shop: withSettings(ShopSection),
  approval: withSettings(ApprovalSection),
  people: PeopleSection,
  courier: withSettings(CourierSection),
  mail: withSettings(MailSection),
  model: withSettings((settings) => (
    <>
      <ModelSection {...settings} />
      <AssistantSection {...settings} />
    </>
  )),
  runners: RunnersSection,
  webhooks: WebhooksSection,
};

function withSettings(Section: (settings: Tagged<ShopSettings>) => ReactNode) {
  return function WithSettings() {
    const settings = useQuery(settingsRecord);
    return <Loaded query={settings}>{(record) => <Section {...record} />}</Loaded>;
  };
}

export function SettingsPage() {
  const { section } = route.useParams();
  const navigate = route.useNavigate();
  const may = useMay();
  const shown = Object.keys(t.sections)
    .filter(isSection)
    .filter((name) => needed[name] === null || may(needed[name]));
  const open = shown.find((name) => name === section);
  const Shown = open === undefined ? null : views[open];
  return (
    <>
      <PageHead title={t.title} />
      <Tabs
        label={t.title}
        tabs={shown.map((name) => ({ name, label: t.sections[name] }))}
        open={open ?? 'me'}
        go={(name) => void navigate({ to: '/settings/$section', params: { section: name }, search: {} })}
      />
      {Shown === null ? <Empty title={t.noSection} /> : <Shown />}
    </>
  );
}

function isSection(name: string): name is Section {
  return Object.hasOwn(t.sections, name);
}
