import { useRef } from 'react';
import { overviewText } from '../../../texts/overview.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Tick } from '../../../ui/field.tsx';
import type { CardName } from './cards.tsx';

const t = overviewText.cards;

type Props = {
  offered: readonly CardName[];
  chosen: readonly CardName[];
  /** Whether nothing was chosen, so that the usual cards are shown. */
  isUsual: boolean;
  set(names: readonly CardName[] | null): void;
  close(): void;
};

/** Which cards the overview has, and in which order. Each choice is kept at once. */
export function ChooseCards({ offered, chosen, isUsual, set, close }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const all = [...chosen, ...offered.filter((name) => !chosen.includes(name))];
  function move(name: CardName, by: 1 | -1): void {
    const to = chosen.indexOf(name) + by;
    const next = chosen.filter((one) => one !== name);
    next.splice(to, 0, name);
    set(next);
    // At the end of the list the button that was pressed does nothing any more: the other one takes the focus.
    const isAtEnd = to === 0 || to === chosen.length - 1;
    if (isAtEnd) list.current?.querySelector<HTMLElement>(`[data-card="${name}"] .${by === 1 ? 'up' : 'down'}`)?.focus();
  }
  return (
    <Dialog title={t.chooseTitle} close={close}>
      <p className="muted">{t.hint}</p>
      <ul ref={list} className="choose-cards">
        {all.map((name) => {
          const at = chosen.indexOf(name);
          const label = t.names[name];
          return (
            <li key={name} data-card={name}>
              <Tick
                label={label}
                checked={at >= 0}
                onValue={(isOn) => set(isOn ? [...chosen, name] : chosen.filter((one) => one !== name))}
              />
              {at < 0 ? null : (
                <span className="acts">
                  <Button
                    kind="quiet"
                    className="up"
                    aria-label={t.up(label)}
                    title={t.up(label)}
                    aria-disabled={at === 0}
                    onClick={() => at > 0 && move(name, -1)}
                  >
                    ↑
                  </Button>
                  <Button
                    kind="quiet"
                    className="down"
                    aria-label={t.down(label)}
                    title={t.down(label)}
                    aria-disabled={at === chosen.length - 1}
                    onClick={() => at < chosen.length - 1 && move(name, 1)}
                  >
                    ↓
                  </Button>
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {isUsual ? null : <Button onClick={() => set(null)}>{t.usual}</Button>}
    </Dialog>
  );
}
