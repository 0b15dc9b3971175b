import { Link } from '@tanstack/react-router';
import { type FocusEvent, type PointerEvent, useId, useRef } from 'react';
import { countText } from '../language/formats.ts';
import { useMay } from '../parts/shop.ts';
import { useWaiting, type Waiting } from '../parts/waiting.ts';
import { text } from '../texts/app.ts';
import { Icon } from '../ui/icon.tsx';
import { type Area, type AreaGroup, areaGroups } from './areas.ts';
import { useFoldedGroups } from './folded.ts';
import './navigation.css';

const t = text.areas;
/** Where the screen is narrow, the sidebar is a menu, and always has the names. */
const isMenu = matchMedia('(width < 900px)');

/** The areas that the admin may see, in groups. `isNarrow`: icons alone, with their names beside the pointer and the focus. */
export function Navigation({ isNarrow }: { isNarrow: boolean }) {
  const may = useMay();
  const waiting = useWaiting();
  const { folded, toggle } = useFoldedGroups();
  const tip = useRef<HTMLDivElement>(null);
  const isShown = ({ permission }: Area): boolean => permission === undefined || may(permission);
  const showTip = ({ target }: PointerEvent | FocusEvent): void => {
    if (isNarrow && !isMenu.matches) placeTip(tip.current, target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null);
  };
  const hideTip = (): void => placeTip(tip.current, null);
  return (
    <nav aria-label={text.app.navigation} onPointerOver={showTip} onPointerLeave={hideTip} onFocus={showTip} onBlur={hideTip}>
      {areaGroups.map((group) => (
        <Group
          key={group.id}
          group={{ ...group, areas: group.areas.filter(isShown) }}
          waiting={waiting}
          isFolded={group.name !== undefined && folded.includes(group.id)}
          toggle={() => toggle(group.id)}
        />
      ))}
      <div ref={tip} className="nav-tip" popover="manual" aria-hidden="true" />
    </nav>
  );
}

/** Beside what has the pointer or the focus, over everything else; gone where nothing has. */
function placeTip(tip: HTMLElement | null, target: HTMLElement | null): void {
  const words = target?.dataset['tip'];
  if (!tip || !target || words === undefined) {
    tip?.hidePopover();
    return;
  }
  const { top, right, height } = target.getBoundingClientRect();
  tip.textContent = words;
  tip.style.insetInlineStart = `${right + 6}px`;
  tip.style.insetBlockStart = `${top + height / 2}px`;
  tip.showPopover();
}

type GroupProps = { group: AreaGroup; waiting: ReturnType<typeof useWaiting>; isFolded: boolean; toggle(): void };

/** A group of areas. Of a folded one, the open area alone is shown, and how much waits in all. */
function Group({ group: { name, areas }, waiting, isFolded, toggle }: GroupProps) {
  const id = useId();
  if (areas.length === 0) return null;
  const held = isFolded ? areas.flatMap(({ to }) => waiting[to] ?? []).filter(({ tone }) => tone !== 'plain') : [];
  const count = held.reduce((sum, one) => sum + one.count, 0);
  return (
    <div className={isFolded ? 'nav-group nav-folded' : 'nav-group'}>
      {name === undefined ? null : (
        <h2>
          <button type="button" className="nav-head" aria-expanded={!isFolded} aria-controls={id} data-tip={name} onClick={toggle}>
            <span className="nav-name">{name}</span>
            {count === 0 ? null : (
              <span className="nav-count need">
                <span aria-hidden="true">{countText(count)}</span>
                <span className="visually-hidden"> {t.waiting.person(count)}</span>
              </span>
            )}
            <Icon name="chevron" />
          </button>
        </h2>
      )}
      <ul id={id}>
        {areas.map((area) => (
          <Item key={area.to} area={area} waiting={waiting[area.to]} />
        ))}
      </ul>
    </div>
  );
}

function Item({ area: { to, name, icon }, waiting }: { area: Area; waiting: Waiting | undefined }) {
  return (
    <li className={waiting ? `waits ${waiting.tone}` : undefined}>
      <Link
        to={to}
        className="nav-area"
        data-tip={waiting ? `${name}, ${waiting.words}` : name}
        activeOptions={{ exact: to === '/', includeSearch: false }}
        activeProps={{ 'aria-current': 'page' }}
      >
        <Icon name={icon} />
        <span className="nav-name">{name}</span>
      </Link>
      {waiting ? (
        <Link {...waiting.list} className={`nav-count ${waiting.tone}`} title={waiting.words}>
          <span aria-hidden="true">{waiting.shown}</span>
          <span className="visually-hidden">{waiting.words}</span>
        </Link>
      ) : null}
    </li>
  );
}
