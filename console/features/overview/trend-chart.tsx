import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import type { Trends } from '../../../contract/dashboard.ts';
import { dayText, moneyText, weekdayText } from '../../language/formats.ts';
import { useShop } from '../../parts/shop.ts';
import { useMoney } from '../../parts/values.tsx';
import { overviewText as t } from '../../texts/overview.ts';
import { axisOf, labelledDays } from './axis.ts';

type Days = Trends['daily'];

const HEIGHT = 100;
const STEP = 10;
const GAP = 1;
/** A bar is so much narrower than the pale one behind it, on each side. */
const INSET = 1.5;
const WEEK = 7;

/** Revenue of each day as a bar, before a pale one of the same day of the period before. What is under the pointer is told at once, or by the arrows. */
export function TrendChart({ daily, previous }: { daily: Days; previous: Days }) {
  const [at, setAt] = useState<number | null>(null);
  const ticks = axisOf(Math.max(...daily.map(({ revenue }) => revenue), ...previous.map(({ revenue }) => revenue)));
  const top = Math.max(1, ticks.at(-1) ?? 0);
  const last = daily.length - 1;
  const words = useDayWords(daily, previous);
  function onPointer({ currentTarget, clientX }: PointerEvent): void {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * daily.length))));
  }
  function onKeyDown(event: KeyboardEvent): void {
    const now = at ?? last;
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, PageUp: now - WEEK, PageDown: now + WEEK, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setAt(Math.min(last, Math.max(0, to)));
  }
  return (
    <figure className="trend">
      <Axis ticks={ticks} top={top} />
      <div
        className="trend-plot"
        role="slider"
        tabIndex={0}
        aria-label={t.trend}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? last}
        aria-valuetext={words(at ?? last).join(', ')}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => setAt(null)}
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && setAt(at ?? last)}
        onBlur={() => setAt(null)}
        onKeyDown={onKeyDown}
      >
        <Bars daily={daily} previous={previous} ticks={ticks} top={top} at={at} />
        {at === null ? null : <Tip at={at} days={daily.length} words={words(at)} />}
      </div>
      <Labels daily={daily} />
    </figure>
  );
}

/** What is told of a day: its name, revenue and orders, and the day of the period before. */
function useDayWords(daily: Days, previous: Days): (at: number) => string[] {
  const money = useMoney();
  return (at) => {
    const [day, before] = [daily[at], previous[at]];
    return [
      ...(day ? [`${weekdayText(day.date)} ${dayText(day.date)}`, t.ofDay(money(day.revenue), day.orders)] : []),
      ...(before ? [`${dayText(before.date)}: ${t.ofDay(money(before.revenue), before.orders)}`] : []),
    ];
  };
}

function Axis({ ticks, top }: { ticks: readonly number[]; top: number }) {
  const { currency, currency_exponent: exponent } = useShop();
  return (
    <div className="trend-axis" aria-hidden="true">
      {ticks.map((tick) => (
        <span key={tick} style={{ insetBlockEnd: `${(tick / top) * 100}%` }}>
          {moneyText(tick, currency, exponent, true)}
        </span>
      ))}
    </div>
  );
}

type BarsProps = { daily: Days; previous: Days; ticks: readonly number[]; top: number; at: number | null };

function Bars({ daily, previous, ticks, top, at }: BarsProps) {
  const width = daily.length * STEP;
  const heightOf = (revenue: number): number => (revenue === 0 ? 0 : Math.max(1, (revenue / top) * HEIGHT));
  return (
    <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {at === null ? null : <rect x={at * STEP} y="0" width={STEP} height={HEIGHT} className="at" />}
      {ticks.map((tick) => (
        <line key={tick} x1="0" x2={width} y1={HEIGHT - (tick / top) * HEIGHT} y2={HEIGHT - (tick / top) * HEIGHT} className="tick" />
      ))}
      {previous.map(({ date, revenue }, index) =>
        revenue === 0 ? null : (
          <g key={date} className="before">
            <rect x={index * STEP + GAP} y={HEIGHT - heightOf(revenue)} width={STEP - 2 * GAP} height={heightOf(revenue)} />
            <path d={`M${index * STEP + GAP} ${HEIGHT - heightOf(revenue)}h${STEP - 2 * GAP}`} />
          </g>
        ),
      )}
      {daily.map(({ date, revenue }, index) => (
        <rect
          key={date}
          x={index * STEP + GAP + INSET}
          y={HEIGHT - heightOf(revenue)}
          width={STEP - 2 * (GAP + INSET)}
          height={heightOf(revenue)}
          className={index === daily.length - 1 ? 'day today' : 'day'}
        />
      ))}
    </svg>
  );
}

/** Beside the day, on the side where there is room. */
function Tip({ at, days, words: [name, value, before] }: { at: number; days: number; words: readonly string[] }) {
  return (
    <div
      className={at < days / 2 ? 'trend-tip' : 'trend-tip left'}
      style={{ insetInlineStart: `${((at + (at < days / 2 ? 1 : 0)) / days) * 100}%` }}
      aria-hidden="true"
    >
      <span className="muted">{name}</span>
      <strong>{value}</strong>
      {before === undefined ? null : <span className="muted">{before}</span>}
    </div>
  );
}

function Labels({ daily }: { daily: Days }) {
  const last = daily.length - 1;
  return (
    <div className="trend-days" aria-hidden="true">
      {labelledDays(daily.length).map((day, index) => (
        <span
          key={day}
          className={day === last ? 'end' : index % 2 === 1 ? 'odd' : undefined}
          style={day === last ? undefined : { insetInlineStart: `${((day + 0.5) / daily.length) * 100}%` }}
        >
          {dayText(daily[day]?.date ?? '')}
        </span>
      ))}
    </div>
  );
}
