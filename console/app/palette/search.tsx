import { Combobox, ComboboxGroup, ComboboxGroupLabel, ComboboxItem, ComboboxList, ComboboxProvider } from '@ariakit/react';
import { useRouter } from '@tanstack/react-router';
import { type FocusEvent, useState } from 'react';
import { useDelayed } from '../../parts/delayed.ts';
import { text } from '../../texts/app.ts';
import { Button } from '../../ui/button.tsx';
import { Key } from '../../ui/key.tsx';
import { showKeys } from '../../ui/keys.ts';
import { useLetters, useModal, useShortcuts } from '../../ui/shortcuts.ts';
import { type Entry, useCommands, usePages } from './commands.ts';
import { bestFirst, matching } from './match.ts';
import { type Records, useRecords } from './records.ts';
import { useSettings } from './settings.ts';
import '../../ui/menu.css';

const t = text.palette;
/** So many of a group are shown; what is typed next leaves fewer. */
const SHOWN_MAX = 5;
/** What takes less is not worth a word. */
const SOON_MS = 200;

type Group = { name: string; entries: Entry[] };

/** A field, and below it what fits what is typed there. */
export function PaletteSearch({ start, done }: { start: string; done(): void }) {
  useModal();
  useShortcuts({ 'mod+k': done });
  const [value, setValue] = useState(start);
  const typed = value.trim();
  const { groups, records } = useGroups(typed);
  const isSlow = useDelayed(records.isSearching, SOON_MS) && records.isSearching;
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  return (
    <ComboboxProvider open focusLoop defaultValue={start} setValue={setValue}>
      <Combobox className="input palette-input" placeholder={t.open} aria-label={t.label} autoSelect autoFocus onFocus={toEnd} />
      <ComboboxList className="palette-list" alwaysVisible aria-busy={records.isSearching}>
        {groups.map(({ name, entries }) => (
          <ComboboxGroup key={name}>
            <ComboboxGroupLabel className="menu-label">{name}</ComboboxGroupLabel>
            {entries.map((entry) => (
              <Item
                key={entry.id}
                entry={entry}
                onAct={() => {
                  done();
                  entry.act();
                }}
              />
            ))}
          </ComboboxGroup>
        ))}
      </ComboboxList>
      {records.failed.length === 0 ? null : (
        <div className="palette-failed">
          <p role="alert">{t.failed(records.failed.map((name) => t.kinds[name]).join(', '))}</p>
          <Button onClick={records.retry}>{text.problem.again}</Button>
        </div>
      )}
      <div className="palette-foot">
        <p role="status">{statusOf({ typed, count, isSearching: records.isSearching, isSlow })}</p>
        <p className="palette-keys" aria-hidden="true">
          <kbd>↑↓</kbd> {t.choose} <kbd>{showKeys('enter')}</kbd> {t.take} <kbd>{showKeys('escape')}</kbd> {t.close}
        </p>
      </div>
    </ComboboxProvider>
  );
}

/** What was typed before goes on. */
function toEnd({ currentTarget }: FocusEvent<HTMLInputElement>): void {
  currentTarget.setSelectionRange(currentTarget.value.length, currentTarget.value.length);
}

function Item({ entry, onAct }: { entry: Entry; onAct(): void }) {
  const { name, note, keys } = entry;
  const areLettersOn = useLetters();
  const isKeyOn = areLettersOn || keys?.startsWith('mod+');
  return (
    <ComboboxItem className="menu-item" value={name} hideOnClick={false} setValueOnClick={false} focusOnHover onClick={onAct}>
      <span className="palette-name">{name}</span>
      {note === undefined || note === '' ? null : <span className="muted palette-note">{note}</span>}
      <Key keys={isKeyOn ? keys : undefined} />
    </ComboboxItem>
  );
}

/** What is shown, by group; groups without an entry are left out. */
function useGroups(typed: string): { groups: Group[]; records: ReturnType<typeof useRecords> } {
  const pages = usePages();
  const commands = useCommands();
  const settings = useSettings();
  const records = useRecords(typed);
  const { history, options } = useRouter();
  const open = (path: string) => () => history.push(path);
  const toPages = { name: t.go, entries: shownOf(pages, typed) };
  const toDo = { name: t.act, entries: shownOf(commands, typed) };
  const groups = [
    // Before anything is typed, the acts come first: the pages are in the navigation, too.
    ...(typed === '' ? [toDo, toPages] : [toPages, toDo]),
    // They are many, so they wait for what is typed.
    { name: text.areas.settings, entries: typed === '' ? [] : shownOf(settings, typed) },
    ...records.kinds.map(({ name, list, numberMark = '', hits }) => {
      const fitting = ofTyped(records, hits, typed).map(
        ({ id, path, ...hit }): Entry => ({ ...hit, id: `${name} ${id}`, act: open(path) }),
      );
      const q = /^\d+$/.test(typed) ? `${numberMark}${typed}` : typed;
      const all = { id: `all ${name}`, name: t.all(t.kinds[name]), act: open(`${list}${options.stringifySearch({ q })}`) };
      const isMore = fitting.length > SHOWN_MAX && list !== undefined;
      return { name: t.kinds[name], entries: [...fitting.slice(0, SHOWN_MAX), ...(isMore ? [all] : [])] };
    }),
  ];
  return { groups: groups.filter(({ entries }) => entries.length > 0), records };
}

const textsOf = ({ name, note = '', also = '' }: { name: string; note?: string; also?: string }): string[] => [name, note, also];

/** Before anything is typed, all are shown, so that the palette says what it can do. */
function shownOf(entries: Entry[], typed: string): Entry[] {
  return typed === '' ? entries : matching(entries, typed, textsOf).slice(0, SHOWN_MAX);
}

/** What was found for an earlier text stays while it fits the new one. So nothing flickers, and nothing else can be opened by a quick Enter. */
function ofTyped<T extends { name: string; note?: string; also?: string }>(records: Records, hits: readonly T[], typed: string): T[] {
  return records.of === typed ? bestFirst(hits, typed, textsOf) : typed === '' ? [] : matching(hits, typed, textsOf);
}

type State = { typed: string; count: number; isSearching: boolean; isSlow: boolean };

function statusOf({ typed, count, isSearching, isSlow }: State): string {
  if (typed === '') return t.start;
  if (isSearching) return isSlow ? t.searching : ' ';
  return count === 0 ? t.nothing : t.found(count);
}
