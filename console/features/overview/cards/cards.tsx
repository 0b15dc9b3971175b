import { lazyRouteComponent } from '@tanstack/react-router';
import { type ComponentType, Suspense, useState } from 'react';
import type { Dashboard } from '../../../../contract/dashboard.ts';
import { useConsoleSettings } from '../../../parts/console-settings.ts';
import { fetchAhead } from '../../../parts/fetch-ahead.ts';
import { useMay } from '../../../parts/shop.ts';
import { overviewText as t } from '../../../texts/overview.ts';
import { Button } from '../../../ui/button.tsx';
import { Columns } from '../../../ui/page.tsx';
import { LowStockCard, NewestOrdersCard, RunsCard } from './now.tsx';
import { OpenedCard } from './opened.tsx';
import { BestSellersCard, InquiriesCard, SubscriptionsCard, TopCustomersCard } from './sales.tsx';

export type CardProps = { now: Dashboard };
export type CardName = keyof typeof t.cards.names;

const ChooseCards = lazyRouteComponent(() => import('./choose.tsx'), 'ChooseCards');
fetchAhead(ChooseCards);

/** Every card that there is; without its permission it is not offered. */
const cards: Record<CardName, { Card: ComponentType<CardProps>; permission?: string }> = {
  newest_orders: { Card: NewestOrdersCard },
  opened: { Card: OpenedCard },
  runs: { Card: RunsCard, permission: 'admin_api.ai_tasks.read' },
  best_sellers: { Card: BestSellersCard },
  low_stock: { Card: LowStockCard },
  inquiries: { Card: InquiriesCard, permission: 'admin_api.inquiries.read' },
  subscriptions: { Card: SubscriptionsCard },
  top_customers: { Card: TopCustomersCard },
};
const names: readonly CardName[] = [
  'newest_orders',
  'opened',
  'runs',
  'best_sellers',
  'low_stock',
  'inquiries',
  'subscriptions',
  'top_customers',
];
const usual: readonly CardName[] = ['newest_orders', 'opened', 'runs', 'best_sellers', 'low_stock', 'inquiries'];

/** What the admin wants to see every day, in the order that the admin has chosen. */
export function Cards({ now }: CardProps) {
  const may = useMay();
  const { settings, save } = useConsoleSettings();
  const [isChoosing, choose] = useState(false);
  const offered = names.filter((name) => cards[name].permission === undefined || may(cards[name].permission));
  const kept = settings.overview_cards ?? usual;
  const chosen = kept.flatMap((name) => offered.find((one) => one === name) ?? []);
  return (
    <section className="overview-cards" aria-label={t.cards.title}>
      <div className="section-head">
        <h2>{t.cards.title}</h2>
        <Button kind="quiet" onClick={() => choose(true)}>
          {t.cards.choose}
        </Button>
      </div>
      {chosen.length === 0 ? <p className="muted">{t.cards.none}</p> : null}
      <Columns>
        {chosen.map((name) => {
          const { Card } = cards[name];
          return <Card key={name} now={now} />;
        })}
      </Columns>
      {isChoosing ? (
        <Suspense>
          <ChooseCards
            offered={offered}
            chosen={chosen}
            isUsual={settings.overview_cards === null}
            set={(next) => save({ overview_cards: next === null ? null : [...next] })}
            close={() => choose(false)}
          />
        </Suspense>
      ) : null}
    </section>
  );
}
