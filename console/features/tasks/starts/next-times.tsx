import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../../api/client.ts';
import { dateText, momentText } from '../../../language/formats.ts';
import { useDelayed } from '../../../parts/delayed.ts';
import { tasksText } from '../../../texts/tasks.ts';
import { nextTimes } from '../queries.ts';

const t = tasksText.schedules;
const ASK_AFTER_MS = 250;

/** When an expression comes next, in its own zone, while somebody types it; or what is wrong with it so far. */
export function NextTimes({ taskId, cron, timezone }: { taskId: number; cron: string; timezone: string }) {
  const asked = useDelayed({ cron, timezone }, ASK_AFTER_MS);
  const times = useQuery(nextTimes(taskId, asked.cron, asked.timezone));
  const refusal = times.error instanceof ApiError ? times.error.errors[0]?.detail : undefined;
  return (
    <div className="next-times" role="status">
      <strong>{t.nextTimes}</strong>
      {asked.cron.trim() === '' ? <p className="muted">{t.noTimes}</p> : null}
      {refusal !== undefined && asked.cron.trim() !== '' ? <p className="muted">{refusal}</p> : null}
      {times.data && !times.error && asked.cron.trim() !== '' ? (
        <ul>
          {times.data.map((at) => (
            <li key={at}>
              <time dateTime={at}>{`${weekdayOf(at, asked.timezone)} ${momentText(at, asked.timezone, 'minute')}`}</time>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

function weekdayOf(at: string, timeZone: string): string {
  return dateText(new Date(at), { timeZone, weekday: 'short' });
}
