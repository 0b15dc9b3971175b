import { Combobox, ComboboxGroup, ComboboxGroupLabel, ComboboxItem, ComboboxList, ComboboxProvider, Dialog } from '@ariakit/react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { api } from '../api/client.ts';
import { text } from '../texts/en/app.ts';
import { showKeys } from '../ui/keys.ts';
import { areaGroups } from './areas.ts';
import { useMay } from './shop.ts';
import '../ui/dialog.css';
import './palette.css';

const t = text.palette;
const FOUND_MAX = 8;

type Found = { id: string; name: string; note?: string; act(): void };

/** Pages and records by name, from anywhere. */
export function Palette({ open, setOpen }: { open: boolean; setOpen(open: boolean): void }) {
  return (
    <>
      <button type="button" className="palette-button" onClick={() => setOpen(true)} aria-keyshortcuts="mod+k">
        <span>{t.open}</span>
        <span className="key" aria-hidden="true">
          {showKeys('mod+k')}
        </span>
      </button>
      <Dialog
        className="dialog palette"
        aria-label={t.label}
        open={open}
        onClose={() => setOpen(false)}
        backdrop={<div className="backdrop" />}
        unmountOnHide
      >
        <PaletteSearch done={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function PaletteSearch({ done }: { done(): void }) {
  const [wanted, setWanted] = useState('');
  const groups = useFound(useDeferredValue(wanted.trim()));
  const isNothing = wanted.trim() !== '' && groups.every(({ found }) => found.length === 0);
  return (
    <ComboboxProvider open focusLoop setValue={setWanted}>
      <Combobox className="input palette-input" placeholder={t.open} aria-label={t.label} autoSelect autoFocus />
      <ComboboxList className="palette-list" alwaysVisible>
        {groups.map(({ name, found }) =>
          found.length === 0 ? null : (
            <ComboboxGroup key={name}>
              <ComboboxGroupLabel className="menu-label">{name}</ComboboxGroupLabel>
              {found.map((one) => (
                <ComboboxItem
                  key={one.id}
                  className="menu-item"
                  value={one.name}
                  hideOnClick={false}
                  setValueOnClick={false}
                  onClick={() => {
                    done();
                    one.act();
                  }}
                >
                  <span>{one.name}</span>
                  {one.note === undefined ? null : <span className="muted">{one.note}</span>}
                </ComboboxItem>
              ))}
            </ComboboxGroup>
          ),
        )}
        {isNothing ? <p className="empty">{t.nothing}</p> : null}
      </ComboboxList>
    </ComboboxProvider>
  );
}

function useFound(wanted: string): { name: string; found: Found[] }[] {
  const may = useMay();
  const navigate = useNavigate();
  const mayOrders = may('admin_api.orders.read');
  const orders = useQuery({
    queryKey: ['orders.list', { search: wanted, per_page: FOUND_MAX }],
    queryFn: () => api.orders.list({ search: wanted, per_page: FOUND_MAX }),
    enabled: mayOrders && wanted.length > 1,
  });
  const areas = areaGroups
    .flatMap((group) => group.areas)
    .filter(({ name, permission }) => (permission === undefined || may(permission)) && name.toLowerCase().includes(wanted.toLowerCase()))
    .map(({ name, to }) => ({ id: to, name, act: () => void navigate({ to }) }));
  const found = (wanted.length > 1 ? (orders.data?.data ?? []) : []).map(({ id, public_id, customer_name }) => ({
    id: `order-${id}`,
    name: public_id,
    note: customer_name,
    act: () => void navigate({ to: '/orders', search: { open: id } }),
  }));
  return [
    { name: t.go, found: areas },
    { name: t.orders, found },
  ];
}
