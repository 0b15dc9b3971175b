import { counted } from '../language/formats.ts';
import { translated, type Words } from '../language/translated.ts';

/** The texts of how events and calls become runs. */
const english = {
  title: 'When there are many',
  how: 'Several in a row',
  hows: {
    single: 'each starts a run',
    debounce: 'one run, for the last of them',
    batch: 'one run, for all of them',
  },
  seconds: { debounce: 'Wait after the last one', batch: 'Gather after the first one' },
  second: 's',
  max: 'In one run, at most',
  key: 'Apart for each',
  delay: 'Start later by',
  delayHint: 'Empty: at once.',
  ttl: 'Not started any more after',
  ttlHint: 'Empty: however late it is.',
  rate: 'Runs a minute, at most',
  rateHint: 'Empty: as many as come.',
  overflow: 'What is over',
  overflows: { queue: 'waits for its turn', skip: 'is left out' },
  rateKey: 'Counted apart for each',
  eventKey: 'A field of the event. Empty: all together.',
  callKey: 'Such as body.order_id or query.id. Empty: all together.',
  waiting: 'Not started yet',
  items: (items: number) => counted(items, 'gathered', 'gathered'),
  keyed: (name: string, value: string, items: number) => `${name} ${value}: ${counted(items, 'gathered', 'gathered')}`,
  due: (at: string) => `starts ${at}`,
  behind: 'waits for its turn',
  openNow: 'Start now',
  drop: 'Leave out',
} as const;

export type GatheringText = Words<typeof english>;
export const gatheringText = translated('gathering', english);
