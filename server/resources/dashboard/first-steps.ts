import type { FirstStep } from '../../../contract/dashboard.ts';
import { Settings } from '../../values/settings.ts';
import { actsAsOwner, type Ctx, may } from '../../verbs/context.ts';
import * as store from './store.ts';

const UNNAMED = Settings.shape.shop_name.parse(undefined);

/** What a new shop needs, as far as the actor may do it (spec DA5). Nothing notes that a step was done: each is read from what is stored. */
export async function firstStepsFor({ db, actor, settings, now }: Ctx): Promise<FirstStep[] | null> {
  if (actor.type !== 'admin') return null;
  const stored = await store.selectBeginnings(db, { now, adminId: actor.adminId });
  const { provider, sender, easypost_api_key: key } = settings.courier;
  const [isOwner, maySet] = [actsAsOwner(actor), may(actor, 'admin_api.settings.write')];
  const steps: readonly (FirstStep & { isTheirs: boolean })[] = [
    { step: 'shop', done: settings.shop_name !== UNNAMED, isTheirs: maySet },
    { step: 'product', done: stored.product === 1, isTheirs: may(actor, 'admin_api.products.write') },
    { step: 'courier', done: sender !== null && (provider === 'manual' || key !== null), isTheirs: maySet },
    { step: 'mail', done: settings.smtp !== null, isTheirs: isOwner },
    { step: 'passkey', done: stored.passkey === 1, isTheirs: isOwner },
    { step: 'person', done: stored.person === 1, isTheirs: isOwner },
    { step: 'task', done: stored.task === 1, isTheirs: may(actor, 'admin_api.ai_tasks.write') },
  ];
  return steps.filter(({ isTheirs }) => isTheirs).map(({ step, done }) => ({ step, done }));
}
