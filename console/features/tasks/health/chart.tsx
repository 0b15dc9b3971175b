import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** `colour`: the name of a token. `values`: one for each day; null: no run ended. */
export type Series = { name: string; colour: '--move' | '--need'; values: readonly (number | null)[] };
type Props = {
  title: string;
  /** What the chart shows, for those who do not see it; the table beneath has all figures. */
  words: string;
  days: readonly string[];
  series: readonly Series[];
  /** Where versions begin, by the place of their first day. */
  marks: readonly { at: number; words: string }[];
  /** The highest value of the scale; else that of the values. */
  top?: number;
  text(value: number): string;
  dayText(day: string): string;
};

const HEIGHT = 120;
const DAY_S = 86_400;

/** One figure of each day as a line. What is under the pointer is told above it. */
export function Chart(props: Props) {
  const { title, words, days, series } = props;
  const place = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | null>(null);
  const latest = useRef(props);
  latest.current = props;
  // The chart is made anew when what it shows changes, as its colours do with the theme.
  const shown = JSON.stringify([days, series, props.marks, props.top]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shown` stands for all that is drawn
  useEffect(() => {
    const parent = place.current;
    if (!parent) return;
    let chart = draw(parent, latest.current, setAt);
    const again = (): void => {
      chart.destroy();
      chart = draw(parent, latest.current, setAt);
    };
    const theme = new MutationObserver(again);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    const size = new ResizeObserver(() => chart.setSize({ width: parent.clientWidth, height: HEIGHT }));
    size.observe(parent);
    return () => {
      theme.disconnect();
      size.disconnect();
      chart.destroy();
    };
  }, [shown]);
  const last = days.length - 1;
  const told = at ?? last;
  return (
    <figure className="health-chart">
      <figcaption>
        <span className="health-title">{title}</span>
        <span className="health-told">
          <span className="muted">{props.dayText(days[told] ?? '')}</span>
          {series.map(({ name, colour, values }) => {
            const value = values[told] ?? null;
            return (
              <span key={name} className={`health-value ${colour.slice(2)}`}>
                {series.length > 1 ? `${name} ` : ''}
                {value === null ? '–' : props.text(value)}
              </span>
            );
          })}
        </span>
      </figcaption>
      <div role="img" aria-label={`${title}: ${words}`} ref={place} />
    </figure>
  );
}

function draw(parent: HTMLElement, { days, series, marks, top, text, dayText }: Props, tell: (at: number | null) => void): uPlot {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(name).trim();
  const font = `11px ${token('--font')}`;
  const [ink, line] = [token('--ink-3'), token('--line')];
  const times = days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000);
  const axis = { stroke: ink, font, ticks: { show: false }, border: { show: false } };
  return new uPlot(
    {
      width: parent.clientWidth,
      height: HEIGHT,
      tzDate: (ts) => uPlot.tzDate(new Date(ts * 1000), 'Etc/UTC'),
      legend: { show: false },
      cursor: { y: false, drag: { setScale: false, x: false, y: false }, points: { size: 7 } },
      scales: {
        x: { time: true, range: [(times[0] ?? 0) - DAY_S / 2, (times.at(-1) ?? 0) + DAY_S / 2] },
        y: { range: (_, __, most) => [0, top ?? (most > 0 ? most * 1.1 : 1)] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 20,
          space: 70,
          incrs: [1, 7, 14, 28].map((n) => n * DAY_S),
          values: (_, splits) => splits.map((at) => dayText(days[times.indexOf(at)] ?? '')),
        },
        { ...axis, grid: { stroke: line, width: 1 }, size: 52, space: 32, values: (_, splits) => splits.map(text) },
      ],
      series: [
        {},
        ...series.map(({ colour }) => ({
          stroke: token(colour),
          width: 1.5,
          spanGaps: true,
          points: { show: true, size: 4, fill: token(colour), stroke: token(colour) },
        })),
      ],
      hooks: {
        setCursor: [({ cursor: { idx } }) => tell(idx ?? null)],
        drawClear: [(chart) => drawMarks(chart, marks, times, { ink, font: token('--font') })],
      },
    },
    [times, ...series.map(({ values }) => [...values])],
    parent,
  );
}

/** A dashed line where a version begins, with its number. */
function drawMarks(chart: uPlot, marks: Props['marks'], times: readonly number[], { ink, font }: { ink: string; font: string }): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.strokeStyle = ink;
  ctx.fillStyle = ink;
  ctx.font = `${10 * devicePixelRatio}px ${font}`;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const { at, words } of marks) {
    const x = Math.round(chart.valToPos((times[at] ?? 0) - DAY_S / 2, 'x', true));
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillText(words, x + 3 * devicePixelRatio, bbox.top + 9 * devicePixelRatio);
  }
  ctx.restore();
}
