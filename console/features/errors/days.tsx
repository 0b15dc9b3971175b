import type { TaskError } from '../../../contract/task-errors.ts';
import { useShop } from '../../parts/shop.ts';
import { errorsText as t } from '../../texts/errors.ts';
import { dayBefore, todayIn } from '../../ui/days.ts';

const DAYS = 30;
const HEIGHT = 20;
const STEP = 4;

/** How often an error was seen on each of the last days, as bars. */
export function Days({ days }: Pick<TaskError, 'days'>) {
  const { timezone } = useShop();
  const counts = new Map(days.map(({ day, count }) => [day, count]));
  const shown = lastDays(todayIn(timezone)).map((day) => ({ day, count: counts.get(day) ?? 0 }));
  const most = Math.max(1, ...shown.map(({ count }) => count));
  const total = shown.reduce((sum, { count }) => sum + count, 0);
  return (
    <svg
      className="error-days"
      viewBox={`0 0 ${DAYS * STEP} ${HEIGHT}`}
      width={DAYS * STEP}
      height={HEIGHT}
      role="img"
      aria-label={t.inDays(total)}
    >
      {shown.map(({ day, count }, at) => {
        const height = count === 0 ? 1 : Math.max(2, (HEIGHT * count) / most);
        const look = count === 0 ? 'none' : undefined;
        return <rect key={day} className={look} x={at * STEP} y={HEIGHT - height} width={STEP - 1} height={height} />;
      })}
    </svg>
  );
}

function lastDays(today: string): string[] {
  const days = [today];
  while (days.length < DAYS) days.push(dayBefore(days.at(-1) ?? today));
  return days.reverse();
}
