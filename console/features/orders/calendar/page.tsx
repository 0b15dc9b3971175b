import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type KeyboardEvent, useRef } from 'react';
import { countText, dateText } from '../../../language/formats.ts';
import { defined } from '../../../parts/search.ts';
import { useShop } from '../../../parts/shop.ts';
import { calendarText as t } from '../../../texts/order-calendar.ts';
import { ordersText } from '../../../texts/orders.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { todayIn } from '../../../ui/days.ts';
import { SelectField } from '../../../ui/field.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { PageHead } from '../../../ui/page.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import { Toolbar } from '../../../ui/toolbar.tsx';
import { calendarMonth } from '../phone-queries.ts';
import { type CalendarSearch, type OrderFilters, statuses } from '../search.ts';
import './page.css';

const route = getRouteApi('/orders/calendar');
const DAY_MS = 86_400_000;
const WEEK = 7;

/** How many orders are to be delivered on each day of a month. */
export function CalendarPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { timezone } = useShop();
  const today = todayIn(timezone);
  const month = search.month ?? today.slice(0, 7);
  const calendar = useQuery(calendarMonth({ month, ...defined({ status: search.status }) }));
  const go = (next: CalendarSearch): void => void navigate({ search: next });
  const toMonth = (by: number): void => go({ ...search, month: monthAfter(month, by) });
  useShortcuts({ escape: () => void navigate({ to: '/orders' }), pageup: () => toMonth(-1), pagedown: () => toMonth(1) });
  const name = monthName(month);
  return (
    <>
      <PageHead title={t.title} note={name}>
        <ButtonLink to="/orders" keys="escape">
          {ordersText.back}
        </ButtonLink>
      </PageHead>
      <Toolbar>
        <Button aria-label={t.previous} title={t.previous} onClick={() => toMonth(-1)}>
          ‹
        </Button>
        <Button aria-label={t.next} title={t.next} onClick={() => toMonth(1)}>
          ›
        </Button>
        <Button disabled={month === today.slice(0, 7)} onClick={() => go(defined({ status: search.status }))}>
          {t.today}
        </Button>
        <SelectField
          label={t.status}
          isLabelHidden
          value={search.status ?? ''}
          options={[['', t.allStatuses], ...statuses.map((status) => [status, ordersText.status[status]] as const)]}
          onValue={(status) => go({ month, ...defined({ status: status === '' ? undefined : status }) })}
        />
      </Toolbar>
      <Loaded query={calendar}>
        {({ grid_start, grid_end, days, no_delivery_date_count }) => (
          <>
            <div className={calendar.isPlaceholderData ? 'list stale' : undefined}>
              <Month
                key={month}
                month={month}
                today={today}
                start={grid_start}
                end={grid_end}
                countOf={new Map(days.map(({ date, count }) => [date, count]))}
                status={search.status}
              />
            </div>
            <p>
              <Link to="/orders" search={{ no_date: true, ...countedBy(search.status) }}>
                {t.noDate(no_delivery_date_count)}
              </Link>
            </p>
            {search.status === undefined ? <p className="muted">{t.leftOut}</p> : null}
            <p className="muted calendar-keys">{t.keys}</p>
          </>
        )}
      </Loaded>
    </>
  );
}

type MonthProps = {
  month: string;
  today: string;
  start: string;
  end: string;
  countOf: ReadonlyMap<string, number>;
  status: CalendarSearch['status'];
};

/** The weeks that the month touches, Monday to Sunday. One day is in the tab order; the arrows go from day to day. */
function Month({ month, today, start, end, countOf, status }: MonthProps) {
  const grid = useRef<HTMLTableSectionElement>(null);
  const weeks = weeksBetween(start, end);
  const first = today.startsWith(month) ? today : `${month}-01`;
  function onKeyDown(event: KeyboardEvent): void {
    const days = [...(grid.current?.querySelectorAll('a') ?? [])];
    const at = event.target instanceof HTMLAnchorElement ? days.indexOf(event.target) : -1;
    const column = at % WEEK;
    const to = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at - WEEK,
      ArrowDown: at + WEEK,
      Home: at - column,
      End: at - column + WEEK - 1,
    }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    days[to]?.focus();
  }
  return (
    <table className="calendar" aria-label={t.grid(monthName(month))}>
      <thead>
        <tr>
          {t.weekdays.map((day, index) => (
            <th key={day} scope="col" abbr={t.weekdaysLong[index]}>
              {day}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={grid} onKeyDown={onKeyDown}>
        {weeks.map((days) => (
          <tr key={days[0]}>
            {days.map((date) => {
              const count = countOf.get(date) ?? 0;
              const marks = [date === today ? 'today' : '', date.startsWith(month) ? '' : 'outside', count > 0 ? 'some' : ''];
              return (
                <td key={date} className={marks.filter(Boolean).join(' ')}>
                  <Link
                    to="/orders"
                    search={{ delivery_from: date, delivery_to: date, ...countedBy(status) }}
                    tabIndex={date === first ? 0 : -1}
                    aria-current={date === today ? 'date' : undefined}
                    preload={false}
                  >
                    <span>
                      <span className="visually-hidden">{dateText(new Date(date), { timeZone: 'UTC', weekday: 'long' })}, </span>
                      <span className="calendar-day">{countText(Number(date.slice(8)))}</span>
                      <span className="visually-hidden"> {monthName(date.slice(0, 7))}: </span>
                    </span>
                    {count > 0 ? (
                      <span className="calendar-count">
                        {countText(count)} <span>{t.orders(count)}</span>
                      </span>
                    ) : (
                      <span className="visually-hidden">{t.noOrders}</span>
                    )}
                  </Link>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The filter of exactly the orders that are counted. */
const countedBy = (status: CalendarSearch['status']): OrderFilters => (status === undefined ? { live: true } : { status });

function weeksBetween(start: string, end: string): string[][] {
  const weeks: string[][] = [];
  for (let at = Date.parse(start); at <= Date.parse(end); at += WEEK * DAY_MS) {
    weeks.push(Array.from({ length: WEEK }, (_, day) => new Date(at + day * DAY_MS).toISOString().slice(0, 10)));
  }
  return weeks;
}

function monthAfter(month: string, by: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + by);
  return date.toISOString().slice(0, 7);
}

function monthName(month: string): string {
  return dateText(new Date(`${month}-01T00:00:00Z`), { timeZone: 'UTC', month: 'long', year: 'numeric' });
}
