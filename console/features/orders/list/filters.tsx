import { Menu, MenuButton, MenuItem, MenuProvider } from '@ariakit/react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { without } from '../../../parts/search.ts';
import { useMay } from '../../../parts/shop.ts';
import { text } from '../../../texts/app.ts';
import { ordersText } from '../../../texts/orders.ts';
import { DateField } from '../../../ui/date-field.tsx';
import { SelectField, Tick } from '../../../ui/field.tsx';
import { useShortcuts } from '../../../ui/shortcuts.ts';
import '../../../ui/menu.css';
import { Key } from '../../../ui/key.tsx';
import { Picker } from '../../../ui/picker.tsx';
import { SearchField } from '../../../ui/toolbar.tsx';
import { internalStatuses } from '../order-queries.ts';
import { foundCustomers } from '../phone-queries.ts';
import { customerName } from '../queries.ts';
import { needs, type OrderFilters, payments, progresses, statuses } from '../search.ts';

const t = ordersText.filters;

type Name = keyof typeof t.names;
type Kind = { fields: readonly (keyof OrderFilters)[]; permission?: string; Edit(props: EditProps): ReactNode };
type EditProps = { filters: OrderFilters; set(filters: OrderFilters): void };

/** Every filter that the API has, with the parts of the address that it stands in. */
const kinds: Record<Name, Kind> = {
  status: { fields: ['status'], Edit: choiceOf('status', statuses, ordersText.status) },
  needs: { fields: ['needs'], Edit: choiceOf('needs', needs, t.needs) },
  live: { fields: ['live'], Edit: LiveFilter },
  payment: { fields: ['payment'], Edit: choiceOf('payment', payments, ordersText.payment) },
  progress: { fields: ['progress'], Edit: choiceOf('progress', progresses, ordersText.progress) },
  internal: { fields: ['internal'], permission: 'admin_api.order_statuses.read', Edit: InternalFilter },
  customer: { fields: ['customer'], permission: 'admin_api.customers.read', Edit: CustomerFilter },
  placed: { fields: ['from', 'to'], Edit: PlacedFilter },
  delivery: { fields: ['delivery_from', 'delivery_to', 'no_date'], Edit: DeliveryFilter },
  total: { fields: ['min', 'max'], Edit: TotalFilter },
  number: { fields: ['number'], Edit: NumberFilter },
  test: { fields: ['test'], Edit: choiceOf('test', ['too', 'only'], t.tests) },
};

const names: readonly Name[] = [
  'needs',
  'status',
  'live',
  'payment',
  'progress',
  'internal',
  'customer',
  'placed',
  'delivery',
  'total',
  'number',
  'test',
];

const isSet = (filters: OrderFilters, { fields }: Kind): boolean => fields.some((field) => filters[field] !== undefined);

type BarProps = EditProps & {
  /** Filters that were added and have no value yet. */
  added: readonly Name[];
  setAdded(names: readonly Name[]): void;
};

export function useAddedFilters(): Pick<BarProps, 'added' | 'setAdded'> {
  const [added, setAdded] = useState<readonly Name[]>([]);
  return { added, setAdded };
}

/** `+ Filter`: a menu of what the list can be filtered by. */
export function FilterMenu({ filters, added, setAdded }: BarProps) {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  useShortcuts({ f: () => setOpen(true) });
  const offered = names.filter((name) => {
    const { permission } = kinds[name];
    return !isSet(filters, kinds[name]) && !added.includes(name) && (permission === undefined || may(permission));
  });
  return (
    <MenuProvider open={isOpen} setOpen={setOpen}>
      <MenuButton className="button" aria-keyshortcuts="f" disabled={offered.length === 0}>
        {t.add}
        <Key keys="f" />
      </MenuButton>
      <Menu className="menu" gutter={4} portal autoFocusOnShow unmountOnHide>
        {offered.map((name) => (
          <MenuItem key={name} className="menu-item" onClick={() => setAdded([...added, name])}>
            {t.names[name]}
          </MenuItem>
        ))}
      </Menu>
    </MenuProvider>
  );
}

/** The filters that are on, each to be changed in place or taken away. */
export function FilterChips({ filters, set, added, setAdded }: BarProps) {
  const shown = names.filter((name) => isSet(filters, kinds[name]) || added.includes(name));
  if (shown.length === 0) return null;
  return (
    <ul className="filter-chips" aria-label={t.list}>
      {shown.map((name) => (
        <Chip
          key={name}
          name={name}
          isNew={added.includes(name) && !isSet(filters, kinds[name])}
          remove={() => {
            setAdded(added.filter((one) => one !== name));
            set(without(filters, ...kinds[name].fields));
          }}
        >
          <Editor name={name} filters={filters} set={set} />
        </Chip>
      ))}
    </ul>
  );
}

function Editor({ name, ...props }: EditProps & { name: Name }) {
  const { Edit } = kinds[name];
  return <Edit {...props} />;
}

function Chip({ name, isNew, remove, children }: { name: Name; isNew: boolean; remove(): void; children: ReactNode }) {
  const place = useRef<HTMLLIElement>(null);
  const wasNew = useRef(isNew);
  useEffect(() => {
    if (wasNew.current) place.current?.querySelector<HTMLElement>('input, select')?.focus();
  }, []);
  return (
    <li ref={place} className="filter-chip">
      <span>{t.names[name]}</span>
      {children}
      <button type="button" className="chip-remove" aria-label={t.remove(t.names[name])} title={t.remove(t.names[name])} onClick={remove}>
        ×
      </button>
    </li>
  );
}

type ChoiceProps<T extends string> = {
  label: string;
  value: T | undefined;
  options: readonly (readonly [T, string])[];
  set(value: T): void;
};

function Choice<T extends string>({ label, value, options, set }: ChoiceProps<T>) {
  return (
    <SelectField<T | ''>
      label={label}
      isLabelHidden
      value={value ?? ''}
      options={value === undefined ? [['', t.choose], ...options] : options}
      onValue={(chosen) => {
        if (chosen !== '') set(chosen);
      }}
    />
  );
}

/** The filter by one of a few values. */
function choiceOf<N extends 'status' | 'needs' | 'payment' | 'progress' | 'test', T extends NonNullable<OrderFilters[N]>>(
  name: N,
  values: readonly T[],
  words: Readonly<Record<T, string>>,
) {
  const options = values.map((value) => [value, words[value]] as const);
  return ({ filters, set }: EditProps) => (
    <Choice<string> label={t.names[name]} value={filters[name]} options={options} set={(value) => set({ ...filters, [name]: value })} />
  );
}

function LiveFilter({ filters, set }: EditProps) {
  return (
    <Tick
      label={t.live}
      checked={filters.live === true}
      onValue={(isOn) => set(isOn ? { ...filters, live: true } : without(filters, 'live'))}
    />
  );
}

function InternalFilter({ filters, set }: EditProps) {
  const all = useQuery(internalStatuses);
  const options = [['none', t.noInternal] as const, ...(all.data ?? []).map(({ id, name }) => [String(id), name] as const)];
  return (
    <Choice
      label={t.names.internal}
      value={filters.internal === undefined ? undefined : String(filters.internal)}
      options={options}
      set={(value) => set({ ...filters, internal: value === 'none' ? value : Number(value) })}
    />
  );
}

function CustomerFilter({ filters, set }: EditProps) {
  const name = useQuery({ ...customerName(filters.customer ?? 0), enabled: filters.customer !== undefined });
  if (filters.customer !== undefined) return <strong>{name.data ?? `#${filters.customer}`}</strong>;
  return (
    <span className="chip-picker">
      <Picker label={t.names.customer} search={foundCustomers} onPick={({ id }) => set({ ...filters, customer: id })} />
    </span>
  );
}

type DateName = 'from' | 'to' | 'delivery_from' | 'delivery_to';

function DayFilter({ filters, set, name, label }: EditProps & { name: DateName; label: string }) {
  return (
    <DateField
      label={label}
      isLabelHidden
      value={filters[name] ?? ''}
      onValue={(date) => set(date === '' ? without(filters, name) : { ...filters, [name]: date })}
    />
  );
}

function PlacedFilter(props: EditProps) {
  return (
    <>
      <DayFilter {...props} name="from" label={t.from(t.names.placed)} />
      <span aria-hidden="true">–</span>
      <DayFilter {...props} name="to" label={t.to(t.names.placed)} />
    </>
  );
}

function DeliveryFilter(props: EditProps) {
  const { filters, set } = props;
  return (
    <>
      {filters.no_date ? null : (
        <>
          <DayFilter {...props} name="delivery_from" label={t.from(t.names.delivery)} />
          <span aria-hidden="true">–</span>
          <DayFilter {...props} name="delivery_to" label={t.to(t.names.delivery)} />
        </>
      )}
      <Tick
        label={t.noDate}
        checked={filters.no_date === true}
        onValue={(isOn) => set(isOn ? { ...without(filters, 'delivery_from', 'delivery_to'), no_date: true } : without(filters, 'no_date'))}
      />
    </>
  );
}

function TotalFilter({ filters, set }: EditProps) {
  const amount = (name: 'min' | 'max', label: string) => (
    <SearchField
      label={label}
      value={filters[name] ?? ''}
      set={(value) => set(/^\d+(\.\d{1,3})?$/.test(value) ? { ...filters, [name]: value } : without(filters, name))}
    />
  );
  return (
    <>
      {amount('min', t.min)}
      <span aria-hidden="true">–</span>
      {amount('max', t.max)}
    </>
  );
}

function NumberFilter({ filters, set }: EditProps) {
  return (
    <SearchField
      label={t.numberHint}
      value={filters.number ?? ''}
      set={(value) => set(/^(\d+|.{3,})$/.test(value) ? { ...filters, number: value } : without(filters, 'number'))}
    />
  );
}

/** The filters in words, for a sentence that says what they found. */
export function filterWords(filters: OrderFilters): string {
  const words = names.flatMap((name) => {
    const { fields } = kinds[name];
    if (!isSet(filters, kinds[name])) return [];
    const values = fields.map((field) => filters[field]);
    const first = String(values[0]);
    const named: Partial<Record<Name, string | undefined>> = {
      status: filters.status && ordersText.status[filters.status],
      needs: filters.needs && t.needs[filters.needs],
      live: filters.live && t.live,
      payment: filters.payment && ordersText.payment[filters.payment],
      progress: filters.progress && ordersText.progress[filters.progress],
      test: filters.test && t.tests[filters.test],
      delivery: filters.no_date ? t.noDate : undefined,
    };
    const range = fields.length > 1 ? `${filters[fields[0] ?? 'from'] ?? '…'} – ${filters[fields[1] ?? 'to'] ?? '…'}` : first;
    return [text.form.wrong(t.names[name], named[name] ?? range)];
  });
  return [...(filters.q === undefined ? [] : [text.list.quoted(filters.q)]), ...words].join(', ');
}
