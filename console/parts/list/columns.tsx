import { Menu, MenuButton, MenuItem, MenuItemCheckbox, MenuProvider } from '@ariakit/react';
import { useState } from 'react';
import { listActsText as t } from '../../texts/list-acts.ts';
import type { Choice } from '../../ui/choice.ts';
import type { Column } from '../../ui/table.tsx';
import '../../ui/menu.css';

/** The names of the columns that are chosen; null: the usual ones. */
export type ChosenColumns = readonly string[] | null;

type MenuProps = {
  /** All columns in their order. */
  all: readonly Pick<Column<never>, 'name' | 'head'>[];
  /** The one that always stays. */
  fixed: string;
  shown: readonly string[];
  set(names: ChosenColumns): void;
};

/** Which columns the list has. */
export function ColumnMenu({ all, fixed, shown, set }: MenuProps) {
  return (
    <MenuProvider
      values={{ columns: [...shown] }}
      setValues={({ columns }) => set(all.map(({ name }) => name).filter((name) => name === fixed || columns.includes(name)))}
    >
      <MenuButton className="button quiet">{t.columns}</MenuButton>
      <Menu className="menu" gutter={4} portal unmountOnHide>
        {all.map(({ name, head }) => (
          <MenuItemCheckbox key={name} className="menu-item" name="columns" value={name} disabled={name === fixed} hideOnClick={false}>
            <span>{head}</span>
            <span aria-hidden="true">{shown.includes(name) ? '✓' : ''}</span>
          </MenuItemCheckbox>
        ))}
        <MenuItem className="menu-item" onClick={() => set(null)}>
          {t.usualColumns}
        </MenuItem>
      </Menu>
    </MenuProvider>
  );
}

/** Which columns are shown: as chosen here, else as the open view has them, else as this browser had them last (`kept`). */
export function useColumns(kept: Choice, usual: readonly string[], view: { columns: ChosenColumns } | undefined, viewId?: number) {
  const ofBrowser = kept.use();
  const [changed, setChanged] = useState<{ view: number | undefined; names: ChosenColumns } | null>(null);
  const chosen = changed?.view === viewId && changed ? changed.names : (view?.columns ?? ofBrowser?.split(' ') ?? null);
  return {
    chosen,
    shown: chosen ?? usual,
    set(names: ChosenColumns): void {
      setChanged({ view: viewId, names });
      if (viewId === undefined) kept.set(names === null ? null : names.join(' '));
    },
  };
}
