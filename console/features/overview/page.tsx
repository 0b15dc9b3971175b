import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { dateText } from '../../language/formats.ts';
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

export function OverviewPage() {
  const { timezone } = useShop();
  const may = useMay()('admin_api.dashboard.read');
  const { days = USUAL_PERIOD } = route.useSearch();
  const navigate = route.useNavigate();
  const go = (next: Period): void => void navigate({ search: next === USUAL_PERIOD ? {} : { days: next }, replace: true });
  const today = dateText(new Date(), { weekday: 'long', day: 'numeric', month: 'long', timeZone: timezone });
  return (
    <>
      <PageHead title={t.title} note={t.note(today)}>
        {may ? (
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

function Overview({ days }: { days: Period }) {
  const now = useQuery(figures);
  const trends = useQuery(trendsOf(days));
  const error = now.error ?? trends.error;
  if (error && !(now.data && trends.data)) {
    return <Problem error={error} retry={() => void Promise.all([now.refetch(), trends.refetch()])} />;
  }
  if (!now.data || !trends.data) return <Skeleton />;
  const { daily, previous } = trends.data;
  return (
    <>
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
