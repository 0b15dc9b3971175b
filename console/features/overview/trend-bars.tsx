import { Day } from '../../parts/values.tsx';

type Bar = { date: string; value: number; title: string };

const HEIGHT = 120;
const STEP = 10;
const GAP = 2;

/** A bar a day; the last one is today's. */
export function TrendBars({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const highest = Math.max(1, ...bars.map(({ value }) => value));
  const width = bars.length * STEP;
  return (
    <figure className="trend">
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {[0, 1, 2, 3].map((line) => (
          <line key={line} x1="0" x2={width} y1={(HEIGHT / 4) * line + 0.5} y2={(HEIGHT / 4) * line + 0.5} className="grid" />
        ))}
        {bars.map(({ date, value, title }, index) => {
          const height = Math.max(value === 0 ? 0 : 1, (value / highest) * HEIGHT);
          return (
            <rect
              key={date}
              x={index * STEP}
              y={HEIGHT - height}
              width={STEP - GAP}
              height={height}
              className={index === bars.length - 1 ? 'today' : undefined}
            >
              <title>{title}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>{[bars[0], bars.at(-1)].map((bar) => (bar ? <Day key={bar.date} date={bar.date} /> : null))}</figcaption>
    </figure>
  );
}
