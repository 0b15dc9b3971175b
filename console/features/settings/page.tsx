import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ShopSettings } from '../../../contract/settings.ts';
import type { Tagged } from '../../api/client.ts';
import { without } from '../../parts/search.ts';
import { isSection, type SettingsSection, sectionsFor } from '../../parts/settings-index.ts';
import { useMay } from '../../parts/shop.ts';
import { settingsText as t } from '../../texts/settings.ts';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageHead } from '../../ui/page.tsx';
import { NotSeen } from '../../ui/problem.tsx';
import { bringIntoView } from '../../ui/tabs.tsx';
import { ApprovalSection } from './approval.tsx';
import { CourierSection } from './courier.tsx';
import { DecisionsSection } from './decisions.tsx';
import { FindSetting, GoToField } from './find.tsx';
import { MailSection } from './mail.tsx';
import { MeSection } from './me.tsx';
import { ModelSection } from './model.tsx';
import { PeopleSection } from './people/page.tsx';
import { RolesSection } from './people/roles.tsx';
import { settingsRecord } from './queries.ts';
import { RunnersSection } from './runners.tsx';
import { ShopSection } from './shop.tsx';
import { WebhooksSection } from './webhooks.tsx';
import './page.css';

const route = getRouteApi('/settings/$section');

const views: Record<SettingsSection, () => ReactNode> = {
  me: MeSection,
  shop: withSettings(ShopSection),
  approval: withSettings(ApprovalSection),
  decisions: withSettings(DecisionsSection),
  people: PeopleSection,
  roles: RolesSection,
  courier: withSettings(CourierSection),
  mail: withSettings(MailSection),
  model: withSettings(ModelSection),
  runners: RunnersSection,
  webhooks: WebhooksSection,
};

function withSettings(Section: (settings: Tagged<ShopSettings>) => ReactNode) {
  return function WithSettings() {
    const { field } = route.useSearch();
    const navigate = route.useNavigate();
    const settings = useQuery(settingsRecord);
    return (
      <Loaded query={settings}>
        {(record) => (
          <>
            <Section {...record} />
            <GoToField field={field} done={() => void navigate({ search: (old) => without(old, 'field'), replace: true })} />
          </>
        )}
      </Loaded>
    );
  };
}

export function SettingsPage() {
  const { section } = route.useParams();
  const shown = sectionsFor(useMay());
  const open = shown.find((name) => name === section);
  const Shown = open === undefined ? null : views[open];
  return (
    <>
      <PageHead title={t.title} />
      <div className="settings">
        <div className="settings-side">
          <FindSetting sections={shown} />
          <nav className="tabs settings-sections" aria-label={t.title}>
            {shown.map((name) => (
              <Link
                key={name}
                className="tab"
                to="/settings/$section"
                params={{ section: name }}
                aria-current={name === open ? 'page' : undefined}
                ref={name === open ? bringIntoView : null}
              >
                {t.sections[name]}
              </Link>
            ))}
          </nav>
        </div>
        <div className="settings-main">
          {Shown !== null ? <Shown /> : isSection(section) ? <NotSeen /> : <Empty drawing="sign" title={t.noSection} />}
        </div>
      </div>
    </>
  );
}
