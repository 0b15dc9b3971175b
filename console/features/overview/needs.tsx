import type { ReactNode } from 'react';
import type { Dashboard } from '../../../contract/dashboard.ts';
import { useNews } from '../../parts/news.ts';
import { useMay } from '../../parts/shop.ts';
import { overviewText as t } from '../../texts/overview.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { Status, type Tone } from '../../ui/status.tsx';
import { ToldLink } from '../../ui/told-link.tsx';
import { useAutomationNeeds } from './automation-needs.tsx';

export type Need = { key: string; tone: Tone; words: string; act?: ReactNode };

/** Everything that waits for a person, with the act beside it; what is zero is not shown. `isQuiet`: nothing is told where nothing waits. */
export function Needs({ figures, isQuiet = false }: { figures: Dashboard; isQuiet?: boolean }) {
  const rows = [...useMessages(), ...useAutomationNeeds(), ...useShopNeeds(figures)];
  if (isQuiet && rows.length === 0) return null;
  return (
    <Section title={t.needs}>
      {rows.length === 0 ? <p className="muted">{t.nothing}</p> : null}
      <ul className="needs">
        {rows.map(({ key, tone, words, act }) => (
          <li key={key}>
            <Status tone={tone}>{words}</Status>
            {act}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const MESSAGES = 5;

/** Warnings and errors that tasks and colleagues have told and that are not read yet. */
function useMessages(): Need[] {
  const { notifications = [] } = useNews().data ?? {};
  const isMessage = (type: string): boolean => type === 'task_message' || type === 'admin_message';
  const unread = notifications.filter(({ type, severity, read }) => isMessage(type) && severity !== 'info' && !read);
  return unread.slice(0, MESSAGES).map(({ id, severity, title, link }) => ({
    key: `notification ${id}`,
    tone: severity === 'error' ? 'fail' : 'need',
    words: title,
    act:
      link === null ? (
        <ButtonLink to="/activity/$kind" params={{ kind: 'notifications' }}>
          {t.show}
        </ButtonLink>
      ) : (
        <ToldLink className="button plain" link={link}>
          {t.show}
        </ToldLink>
      ),
  }));
}

function useShopNeeds(now: Dashboard): Need[] {
  const may = useMay();
  const mayOrders = may('admin_api.orders.read');
  const rows: (Need & { count: number })[] = [
    {
      key: 'late',
      count: now.orders_needing_attention,
      tone: 'need',
      words: t.late(now.orders_needing_attention),
      act: mayOrders ? (
        <ButtonLink to="/orders" search={{ needs: 'attention' }}>
          {t.show}
        </ButtonLink>
      ) : null,
    },
    {
      key: 'failed',
      count: now.failed_payment_orders,
      tone: 'fail',
      words: t.failed(now.failed_payment_orders),
      act: mayOrders ? (
        <ButtonLink to="/orders" search={{ payment: 'failed' }}>
          {t.show}
        </ButtonLink>
      ) : null,
    },
    {
      key: 'inquiries',
      count: now.unanswered_inquiries,
      tone: 'need',
      words: t.inquiries(now.unanswered_inquiries),
      act: may('admin_api.inquiries.read') ? (
        <ButtonLink to="/inquiries" search={{ answered: false }}>
          {t.show}
        </ButtonLink>
      ) : null,
    },
    {
      key: 'out',
      count: now.out_of_stock_count,
      tone: 'need',
      words: t.outOfStock(now.out_of_stock_count),
      act: may('admin_api.products.read') ? (
        <ButtonLink to="/products" search={{ stock: 'none' }}>
          {t.show}
        </ButtonLink>
      ) : null,
    },
    {
      key: 'low',
      count: now.low_stock_count,
      tone: 'need',
      words: t.lowStock(now.low_stock_count),
      act: may('admin_api.products.read') ? (
        <ButtonLink to="/products" search={{ stock: 'low' }}>
          {t.show}
        </ButtonLink>
      ) : null,
    },
  ];
  return rows.filter(({ count }) => count > 0);
}
