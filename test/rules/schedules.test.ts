import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cronProblem, judgeTimes, nextTime, type Timing, timesAfter } from '../../server/automation/schedules/rules.ts';

const NOW = Date.parse('2026-06-01T12:00:30.500Z');
const DAY_MS = 86_400_000;

/** For each time zone a day on which the clock skips a time, and one on which it repeats a time, with the times in question. */
const changes = [
  { timezone: 'Europe/Vienna', gap: '2026-03-29', from: '02:00', to: '03:00', doubled: '2026-10-25', again: ['02:00', '03:00'] },
  { timezone: 'America/New_York', gap: '2026-03-08', from: '02:00', to: '03:00', doubled: '2026-11-01', again: ['01:00', '02:00'] },
  { timezone: 'Australia/Lord_Howe', gap: '2026-10-04', from: '02:00', to: '02:30', doubled: '2026-04-05', again: ['01:30', '02:00'] },
] as const;

test('SD1: valid cron expressions are accepted; any other is refused, and the error says what is accepted', () => {
  const utc = (cron: string): Timing => ({ cron, timezone: 'UTC' });
  const good = [
    '* * * * *',
    '*/15 8-18 * * MON-FRI',
    '0,30 0 1 1 *',
    '0 0 L * *',
    '0 0 * * FRI#2',
    '0 0 29 2 *',
    '5 4 * JAN,JUL 7',
    '0  0 * * *',
    '5/15 * * * *',
    '0 9 15W * *',
    '0 0 L-1 * *',
    '0 0 L-28 2 *',
    '0 0 l-3,15 * FRI',
    '0 0 * * 7/2',
    ...['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly', '@Daily'],
  ];
  for (const cron of good) assert.equal(cronProblem(utc(cron), NOW), null, cron);
  for (const [cron, problem] of [
    ['* * * *', /^has 4 fields; accepted are five fields/],
    ['0 * * * * *', /^has 6 fields/],
    ['@reboot', /^"@reboot" is not understood; accepted are .*@daily/],
    ['60 * * * *', /^minute 60 is not from 0 to 59; accepted are/],
    ['0 24 * * *', /^hour 24 is not from 0 to 23; accepted are/],
    ['0 0 32 * *', /^day of the month 32 is not from 1 to 31; accepted are/],
    ['0 0 1-40 * *', /^day of the month 40 is not/],
    ['0 0 0 * *', /^day of the month 0 is not from 1 to 31; accepted are/],
    ['0 0 * 13 *', /^month 13 is not from 1 to 12; accepted are/],
    ['0 0 * 0 *', /^month 0 is not/],
    ['0 0 * * 8', /^day of the week 8 is not from 0 to 7; accepted are/],
    ['0 0 L-31 * *', /^day of the month L-31 is not from L-0 to L-30/],
    ['0 0 L-29 2 *', /^never occurs/],
    ['0 0 * L-1 *', /; accepted are/],
    ['/10 * * * *', /^"\/10" is not understood/],
    ['*/0 * * * *', /; accepted are/],
    ['30-10 * * * *', /larger.*; accepted are/],
    ['? * * * *', /^"\?" is not understood; accepted are/],
    ['0 0 * * +MON', /is not understood/],
    ['x * * * *', /; accepted are/],
    ['0 0 31 2 *', /^never occurs/],
    ['0 0 30 FEB *', /^never occurs/],
  ] as const) {
    assert.match(cronProblem(utc(cron), NOW) ?? 'accepted', problem, cron);
  }
});

test('SD1: the next time is after now, at a full minute, in the schedule’s time zone', () => {
  assert.equal(at(nextTime({ cron: '* * * * *', timezone: 'UTC' }, NOW)), '2026-06-01T12:01:00.000Z');
  const sharp = Date.parse('2026-06-01T12:01:00.000Z');
  assert.equal(at(nextTime({ cron: '* * * * *', timezone: 'UTC' }, sharp)), '2026-06-01T12:02:00.000Z');
  assert.equal(at(nextTime({ cron: '* * * * *', timezone: 'UTC' }, sharp - 1)), '2026-06-01T12:01:00.000Z');
  assert.equal(at(nextTime({ cron: '30 14 * * *', timezone: 'Europe/Vienna' }, NOW)), '2026-06-01T12:30:00.000Z');
  const upcoming = timesAfter({ cron: '0 9 * * MON', timezone: 'America/New_York' }, NOW, 3);
  assert.deepEqual(upcoming.map(at), ['2026-06-01T13:00:00.000Z', '2026-06-08T13:00:00.000Z', '2026-06-15T13:00:00.000Z']);
});

test('SD1: days before the last of the month, beside other days and days of the week, in local time', () => {
  const vienna = (cron: string, from: string, count: number): string[] =>
    timesAfter({ cron, timezone: 'Europe/Vienna' }, Date.parse(from), count).map((ms) => local(ms, 'Europe/Vienna'));
  assert.deepEqual(vienna('0 0 L-1 * *', '2026-01-01T00:00:00Z', 4), [
    '2026-01-30 00:00',
    '2026-02-27 00:00',
    '2026-03-30 00:00',
    '2026-04-29 00:00',
  ]);
  assert.deepEqual(vienna('0 0 L-27 * *', '2026-01-01T00:00:00Z', 3), ['2026-01-04 00:00', '2026-02-01 00:00', '2026-03-04 00:00']);
  assert.deepEqual(vienna('0 0 L-28 2 *', '2026-01-01T00:00:00Z', 2), ['2028-02-01 00:00', '2032-02-01 00:00']);
  // On 29 March 2026 the clock skips from 2:00 to 3:00, on 25 October it repeats that hour.
  assert.deepEqual(vienna('30 2 L-2 3 *', '2026-01-01T00:00:00Z', 2), ['2026-03-29 03:00', '2027-03-29 02:30']);
  assert.deepEqual(vienna('30 2 L-6 10 *', '2026-01-01T00:00:00Z', 2), ['2026-10-25 02:30', '2027-10-25 02:30']);
  assert.deepEqual(vienna('0 6 L-3,2 6 MON', '2026-06-01T12:00:00Z', 6), [
    '2026-06-02 06:00',
    '2026-06-08 06:00',
    '2026-06-15 06:00',
    '2026-06-22 06:00',
    '2026-06-27 06:00',
    '2026-06-29 06:00',
  ]);
  assert.deepEqual(
    vienna('5/15 12 1 6 *', '2026-01-01T00:00:00Z', 4),
    ['05', '20', '35', '50'].map((minute) => `2026-06-01 12:${minute}`),
  );
  for (const sundays of ['7/2', '7', 'SUN', '7/1,0'])
    assert.deepEqual(vienna(`0 6 * * ${sundays}`, '2026-06-01T12:00:00Z', 2), ['2026-06-07 06:00', '2026-06-14 06:00'], sundays);
  assert.deepEqual(vienna('0 6 1 6 5-7/2,1-7/6', '2026-06-01T12:00:00Z', 3), ['2026-06-05 06:00', '2026-06-07 06:00', '2026-06-08 06:00']);
  assert.deepEqual(vienna('@daily', '2026-06-01T12:00:00Z', 2), ['2026-06-02 00:00', '2026-06-03 00:00']);
});

test('SD1: a time of day comes once a day, also on the days on which the clock changes', () => {
  const DAY_MINUTES = 1440;
  for (const { timezone, gap, from, to, doubled } of changes) {
    for (const day of [gap, doubled]) {
      for (let minute = 0; minute < DAY_MINUTES; minute += 10) {
        const time = clock(minute);
        const times = daysTimes({ cron: `${minute % 60} ${Math.floor(minute / 60)} * * *`, timezone }, day);
        const shown = day === gap && time >= from && time < to ? to : time;
        assert.deepEqual(
          times.map((ms) => local(ms, timezone)),
          [`${day} ${shown}`],
          `${timezone} ${day} ${time}`,
        );
      }
    }
  }
});

test('SD1: a time that the clock shows twice counts as the first one; times that fall into one gap count once', () => {
  for (const { timezone, gap, from, to, doubled, again } of changes) {
    const [begins, ends] = again;
    const [hour = 0, minute = 0] = begins.split(':').map(Number);
    const [first, ...rest] = daysTimes({ cron: `${minute} ${hour} * * *`, timezone }, doubled);
    assert.ok(first !== undefined && rest.length === 0);
    const length = minutes(ends) - minutes(begins);
    assert.equal(local(first + length * 60_000, timezone), `${doubled} ${begins}`, `${timezone}: the clock shows it again`);
    const [gapHour] = from.split(':').map(Number);
    assert.deepEqual(
      daysTimes({ cron: `5,20 ${gapHour} * * *`, timezone }, gap).map((ms) => local(ms, timezone)),
      [`${gap} ${to}`],
    );
  }
});

test('SD1: a schedule with an interval continues in real time through a change of the clock', () => {
  for (const { timezone, gap, doubled } of changes) {
    for (const day of [gap, doubled]) {
      const times = daysTimes({ cron: '*/10 * * * *', timezone }, day);
      assert.ok(times.length > 100);
      times.reduce((before, next) => {
        assert.equal(next - before, 600_000, `${timezone} ${local(before, timezone)}`);
        return next;
      });
    }
  }
});

test('SD3: missed times within catch_up_seconds give one run, older ones none', () => {
  const hourly = { cron: '0 * * * *', timezone: 'UTC' };
  const yearly = { cron: '0 10 1 6 *', timezone: 'UTC' };
  const judge = (timing: Timing, next: string, catchUpSeconds: number) =>
    judgeTimes(timing, { nextMs: Date.parse(next), nowMs: NOW, catchUpSeconds });
  assert.deepEqual(judge(hourly, '2026-06-01T12:00:00Z', 0), { opens: true, missed: false }, 'half a minute late');
  assert.deepEqual(judge(hourly, '2026-06-01T09:00:00Z', 3600 * 4), { opens: true, missed: false });
  assert.deepEqual(judge(hourly, '2026-06-01T09:00:00Z', 3600), { opens: true, missed: true }, '12:00 is recent enough');
  assert.deepEqual(judge(yearly, '2026-06-01T10:00:00Z', 3600), { opens: false, missed: true });
  assert.deepEqual(judge(yearly, '2026-06-01T10:00:00Z', 7230), { opens: false, missed: true });
  assert.deepEqual(judge(yearly, '2026-06-01T10:00:00Z', 7231), { opens: true, missed: false });
});

function at(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** Times that the clock shows on that local day. */
function daysTimes(timing: Timing, day: string): number[] {
  const start = Date.parse(`${day}T00:00:00Z`) - DAY_MS;
  const times: number[] = [];
  for (let ms = nextTime(timing, start); ms !== null && ms < start + 3 * DAY_MS; ms = nextTime(timing, ms)) times.push(ms);
  return times.filter((ms) => local(ms, timing.timezone).startsWith(day));
}

const formats = new Map<string, Intl.DateTimeFormat>();

function local(ms: number, timeZone: string): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(timeZone, format);
  return format.format(ms);
}

function clock(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

function minutes(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}
