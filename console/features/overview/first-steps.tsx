import type { ReactNode } from 'react';
import type { FirstStep } from '../../../contract/dashboard.ts';
import { useConsoleSettings } from '../../parts/console-settings.ts';
import { firstStepsText as t } from '../../texts/first-steps.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { Lifecycle, Status } from '../../ui/status.tsx';
import { offerUndo } from '../../ui/toast.tsx';
import './first-steps.css';

/** What a new shop still needs, each with the act that leads to where it is done. `isShort`: what is done is counted alone. */
export function FirstSteps({ steps, isShort }: { steps: readonly FirstStep[]; isShort: boolean }) {
  const { save } = useConsoleSettings();
  const open = steps.filter(({ done }) => !done);
  function hide(): void {
    save({ hides_first_steps: true });
    offerUndo(t.hidden, async () => {
      save({ hides_first_steps: false });
      return t.shownAgain;
    });
    // The button goes with the list.
    document.querySelector('h1')?.focus();
  }
  const head = (
    <span className="first-steps-head">
      <span className="muted">{t.count(steps.length - open.length, steps.length)}</span>
      <Button kind="quiet" onClick={hide}>
        {t.hide}
      </Button>
    </span>
  );
  return (
    <Section title={t.title} act={head}>
      <ol className="first-steps">
        {(isShort ? open : steps).map(({ step, done }) => {
          const { name, why, act } = t.steps[step];
          return (
            <li key={step} className={done ? 'is-done' : undefined}>
              {done ? <Status tone="done">{name}</Status> : <Lifecycle stage="empty">{name}</Lifecycle>}
              <span className="first-step-why">{why}</span>
              {done ? <span className="first-step-done">{t.done}</span> : linkTo[step](act, step === open[0]?.step ? 'first' : 'plain')}
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

type LinkOf = (words: string, kind: 'first' | 'plain') => ReactNode;

/** Where each step is done. */
const linkTo: Record<FirstStep['step'], LinkOf> = {
  shop: toSetting('shop', '/shop_name'),
  product: (words, kind) => (
    <ButtonLink kind={kind} to="/products" search={{ new: true }}>
      {words}
    </ButtonLink>
  ),
  courier: toSetting('courier', '/courier/hasSender'),
  mail: toSetting('mail', '/smtp/host'),
  passkey: (words, kind) => (
    <ButtonLink kind={kind} to="/settings/$section" params={{ section: 'me' }}>
      {words}
    </ButtonLink>
  ),
  person: (words, kind) => (
    <ButtonLink kind={kind} to="/settings/$section" params={{ section: 'people' }} search={{ new: true }}>
      {words}
    </ButtonLink>
  ),
  task: (words, kind) => (
    <ButtonLink kind={kind} to="/tasks/new">
      {words}
    </ButtonLink>
  ),
};

function toSetting(section: string, field: string): LinkOf {
  return (words, kind) => (
    <ButtonLink kind={kind} to="/settings/$section" params={{ section }} search={{ field }}>
      {words}
    </ButtonLink>
  );
}
