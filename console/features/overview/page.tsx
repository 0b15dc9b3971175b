import { useQuery } from '@tanstack/react-query';
import { getRouteApi, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { Dashboard } from '../../../contract/dashboard.ts';
import { dateText } from '../../language/formats.ts';
import { useConsoleSettings } from '../../parts/console-settings.ts';
import { useMay, useShop } from '../../parts/shop.ts';
import { overviewText as t } from '../../texts/overview.ts';
import { Empty } from '../../ui/empty.tsx';
import { PageHead, Section, Skeleton } from '../../ui/page.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ViewTab } from '../../ui/toolbar.tsx';
import { Cards } from './cards/cards.tsx';
import { Figures } from './figures.tsx';
import { Needs } from './needs.tsx';
import { figures, trendsOf } from './queries.ts';
import { type Period, periods, USUAL_PERIOD } from './search.ts';
import { StatusBar } from './status-bar.tsx';
import { TrendChart } from './trend-chart.tsx';
import './page.css';

const route = getRouteApi('/');
const FirstSteps = lazyRouteComponent(() => import('./first-steps.tsx'), 'FirstSteps');

export function OverviewPage() {
  const { timezone } = useShop();
  const may = useMay()('admin_api.dashboard.read');
  const { days = USUAL_PERIOD } = route.useSearch();
  const navigate = route.useNavigate();
  const go = (next: Period): void => void navigate({ search: next === USUAL_PERIOD ? {} : { days: next }, replace: true });
  const isFirstDay = useFirstDay(useQuery({ ...figures, enabled: may }).data);
  const today = dateText(new Date(), { weekday: 'long', day: 'numeric', month: 'long', timeZone: timezone });
  return (
    <>
      <PageHead title={t.title} note={t.note(today)}>
        {may && !isFirstDay ? (
          <fieldset className="periods" aria-label={t.period}>
            {periods.map((one) => (
              <ViewTab key={one} isOn={one === days} onClick={() => go(one)}>
                {t.days(one)}
              </ViewTab>
            ))}
          </fieldset>
        ) : null}
      </PageHead>
      {may ? <Overview days={days} /> : <Empty drawing="lock" title={t.noDashboard} />}
    </>
  );
}

/** Whether steps of a new shop are open and not hidden, before its first order: there are no figures that somebody could want to see. */
function useFirstDay(now: Dashboard | undefined): boolean {
  return useShowsSteps(now) && now?.total_orders === 0;
}

function useShowsSteps(now: Dashboard | undefined): boolean {
  const { settings } = useConsoleSettings();
  return !settings.hides_first_steps && (now?.first_steps ?? []).some(({ done }) => !done);
}

function Overview({ days }: { days: Period }) {
  const now = useQuery(figures);
  const trends = useQuery(trendsOf(days));
  const [isFirstDay, showsSteps] = [useFirstDay(now.data), useShowsSteps(now.data)];
  const error = now.error ?? trends.error;
  if (error && !(now.data && trends.data)) {
    return <Problem error={error} retry={() => void Promise.all([now.refetch(), trends.refetch()])} />;
  }
  if (!now.data || !trends.data) return <Skeleton />;
  const { daily, previous } = trends.data;
  const steps = showsSteps ? (
    <Suspense fallback={<Skeleton />}>
      <FirstSteps steps={now.data.first_steps ?? []} isShort={!isFirstDay} />
    </Suspense>
  ) : null;
  if (isFirstDay) {
    return (
      <div className="overview">
        <div className="overview-main">{steps}</div>
        <div className="overview-needs">
          <Needs figures={now.data} isQuiet />
        </div>
      </div>
    );
  }
  return (
    <>
      {steps}
      <div className={trends.isPlaceholderData ? 'stale-period' : undefined}>
        <Figures now={now.data} trends={trends.data} />
      </div>
      <div className="overview">
        <div className={trends.isPlaceholderData ? 'overview-main stale-period' : 'overview-main'}>
          <Section title={t.trend} act={<Legend days={daily.length} />}>
            <TrendChart key={daily[0]?.date} daily={daily} previous={previous?.daily ?? []} />
          </Section>
          <StatusBar {...now.data} />
        </div>
        <div className="overview-needs">
          <Needs figures={now.data} />
        </div>
      </div>
      <Cards now={now.data} />
    </>
  );
}

function Legend({ days }: { days: number }) {
  return (
    <p className="trend-legend muted">
      <span>
        <span className="legend-days" aria-hidden="true" />
        {t.lastDays(days)}
      </span>
      <span>
        <span className="legend-before" aria-hidden="true" />
        {t.daysBefore(days)}
      </span>
    </p>
  );
}
