import { Combobox, ComboboxItem, ComboboxPopover, ComboboxProvider } from '@ariakit/react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { matching } from '../../app/palette/match.ts';
import { allSettings, type SettingsSection, switchOf } from '../../parts/settings-index.ts';
import { settingsText as t } from '../../texts/settings.ts';
import { useShortcuts } from '../../ui/shortcuts.ts';
import '../../ui/menu.css';

const SHOWN_MAX = 12;

/** Finds a setting by what it is called, what is said of it and what else people call it, and leads to its field. */
export function FindSetting({ sections }: { sections: readonly SettingsSection[] }) {
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  useShortcuts({ '/': () => field.current?.focus() });
  const mine = allSettings.filter(({ section }) => sections.includes(section));
  const wanted = typed.trim();
  const found = wanted === '' ? [] : matching(mine, wanted, ({ name, hint, also }) => [name, hint, also]).slice(0, SHOWN_MAX);
  return (
    <ComboboxProvider
      open={isOpen && wanted !== ''}
      setOpen={setOpen}
      value={typed}
      setValue={setTyped}
      selectedValue=""
      setSelectedValue={(value) => {
        const { section, field: to } = found[Number(value)] ?? {};
        if (section === undefined) return;
        setTyped('');
        void navigate({ to: '/settings/$section', params: { section }, search: to === undefined ? {} : { field: to } });
      }}
    >
      <Combobox ref={field} className="input" type="search" autoSelect placeholder={t.find} aria-label={t.find} />
      <ComboboxPopover className="menu named-list settings-found" gutter={4} fixed>
        {found.map(({ name, section }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two settings may be called the same in one section
          <ComboboxItem key={at} className="menu-item" value={String(at)} setValueOnClick={false}>
            <span>{name}</span>
            <span className="muted">{t.sections[section]}</span>
          </ComboboxItem>
        ))}
        {found.length === 0 ? <p className="menu-label">{t.foundNone}</p> : null}
      </ComboboxPopover>
    </ComboboxProvider>
  );
}

/** Belongs behind the form: focuses the field that the address names, or what opens it, and takes it out of the address. */
export function GoToField({ field, done }: { field: string | undefined; done(): void }) {
  useEffect(() => {
    if (field === undefined) return;
    const at = (pointer: string) => document.querySelector<HTMLElement>(`.page-form [data-pointer="${CSS.escape(pointer)}"]`);
    const found = at(field) ?? at(switchOf(field));
    found?.focus();
    found?.scrollIntoView({ block: 'center' });
    done();
  });
  return null;
}
