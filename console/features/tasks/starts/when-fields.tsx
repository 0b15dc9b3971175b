import { tasksText } from '../../../texts/tasks.ts';
import { TextField } from '../../../ui/field.tsx';
import { ViewTab } from '../../../ui/toolbar.tsx';
import { cronOf, type Simple, simpleCron, weekdayName } from './cron-words.ts';

const t = tasksText.schedules;
const WEEK = [0, 1, 2, 3, 4, 5, 6];

/** When a schedule runs, as people say it: an often used time, another time of day, the days of the week. What is more is typed as cron. */
export function WhenFields({ cron, set }: { cron: string; set(cron: string): void }) {
  const simple = simpleCron(cron);
  const change = (part: Partial<Simple>): void => {
    const next = simple && cronOf({ ...simple, ...part });
    if (next) set(next);
  };
  return (
    <>
      <fieldset className="presets plain-fieldset" aria-label={t.often}>
        {t.presets.map(([preset, name]) => (
          <ViewTab key={preset} isOn={cron === preset} onClick={() => set(preset)}>
            {name}
          </ViewTab>
        ))}
      </fieldset>
      {simple === null ? null : (
        <>
          <TextField label={t.timeOfDay} type="time" value={simple.time} onValue={(time) => change({ time })} />
          {simple.day === null ? (
            <fieldset className="presets plain-fieldset" aria-label={t.weekdays}>
              {WEEK.map((weekday) => {
                const isOn = simple.weekdays.includes(weekday);
                const others = simple.weekdays.filter((one) => one !== weekday);
                return (
                  <ViewTab key={weekday} isOn={isOn} onClick={() => change({ weekdays: isOn ? others : [...others, weekday] })}>
                    {weekdayName(weekday)}
                  </ViewTab>
                );
              })}
            </fieldset>
          ) : null}
        </>
      )}
    </>
  );
}
