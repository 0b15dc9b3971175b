import type { Voucher, VoucherKind } from '../../../contract/vouchers.ts';
import { percentText } from '../../language/formats.ts';
import { blanks } from '../../parts/blanks.ts';
import { Moment, Money } from '../../parts/values.tsx';
import { libraryText } from '../../texts/library.ts';
import { Lifecycle } from '../../ui/status.tsx';
import { libraryPage } from './library-page.tsx';
import { calls } from './queries.ts';

const t = libraryText.vouchers;

type Values = Omit<Voucher, 'id' | 'used_count' | 'min_subtotal_cents'> & { min_subtotal_cents: number | null };
const start: Values = {
  code: '',
  kind: 'percent',
  percent_bps: null,
  amount_cents: null,
  min_subtotal_cents: null,
  usage_limit: null,
  per_customer_limit: null,
  valid_from: null,
  valid_to: null,
  active: true,
};

const isKind = (kind: VoucherKind) => (values: Values) => values.kind === kind;

/** Only the value of the voucher's own kind is accepted. */
function inputOf(values: Values) {
  const { kind, percent_bps, amount_cents, min_subtotal_cents } = values;
  return {
    ...values,
    min_subtotal_cents: min_subtotal_cents ?? 0,
    percent_bps: kind === 'percent' ? percent_bps : null,
    amount_cents: kind === 'fixed' ? amount_cents : null,
  };
}

function Worth({ voucher: { kind, percent_bps, amount_cents } }: { voucher: Voucher }) {
  if (kind === 'percent') return percentText(percent_bps ?? 0);
  return kind === 'fixed' ? <Money minor={amount_cents ?? 0} /> : t.kinds.free_shipping;
}

type VoucherState = keyof typeof t.states;

/** Whether the voucher can be used now, and if not, why. */
function stateOf({ active, usage_limit, used_count, valid_from, valid_to }: Voucher): VoucherState {
  const now = Date.now();
  if (!active) return 'off';
  if (valid_to !== null && Date.parse(valid_to) < now) return 'expired';
  if (usage_limit !== null && used_count >= usage_limit) return 'usedUp';
  return valid_from !== null && Date.parse(valid_from) > now ? 'later' : 'on';
}

const stages = { on: 'full', later: 'empty', off: 'barred', expired: 'barred', usedUp: 'barred' } as const;

function State({ voucher }: { voucher: Voucher }) {
  const state = stateOf(voucher);
  return <Lifecycle stage={stages[state]}>{t.states[state]}</Lifecycle>;
}

export const VouchersPage = libraryPage<Voucher, Values>({
  path: '/library/vouchers',
  resource: 'vouchers',
  blank: blanks.vouchers,
  texts: t,
  nameOf: ({ code }) => code,
  columns: [
    { name: 'code', head: t.fields.code, cell: ({ code }) => <code>{code}</code> },
    { name: 'worth', head: t.worth, cell: (voucher) => <Worth voucher={voucher} />, isNumber: true },
    {
      name: 'used',
      head: t.used,
      cell: ({ used_count, usage_limit }) => (usage_limit === null ? used_count : t.usedOf(used_count, usage_limit)),
      isNumber: true,
      isMinor: true,
    },
    {
      name: 'until',
      head: t.until,
      cell: ({ valid_to }) => (valid_to === null ? <span className="muted">{t.forever}</span> : <Moment at={valid_to} />),
      isMinor: true,
    },
    {
      name: 'active',
      head: t.state,
      cell: (voucher) => <State voucher={voucher} />,
    },
  ],
  calls: calls.vouchers,
  update: (id, values, options) => calls.vouchers.update(id, inputOf(values), options),
  valuesOf: ({ id: _, used_count: __, ...values }) => values,
  creation: { start, create: (values, options) => calls.vouchers.create(inputOf(values), options) },
  fields: [
    { kind: 'text', name: 'code', label: t.fields.code },
    [
      {
        kind: 'choice',
        name: 'kind',
        label: t.fields.kind,
        options: [
          ['percent', t.kinds.percent],
          ['fixed', t.kinds.fixed],
          ['free_shipping', t.kinds.free_shipping],
        ],
      },
      { kind: 'percent', name: 'percent_bps', label: t.fields.percent_bps, isShown: isKind('percent') },
      { kind: 'money', name: 'amount_cents', label: t.fields.amount_cents, isShown: isKind('fixed') },
    ],
    { kind: 'money', name: 'min_subtotal_cents', label: t.fields.min_subtotal_cents, hint: t.anyOrder },
    [
      { kind: 'number', name: 'usage_limit', label: t.fields.usage_limit, hint: t.noLimit },
      { kind: 'number', name: 'per_customer_limit', label: t.fields.per_customer_limit, hint: t.noLimit },
    ],
    [
      { kind: 'moment', name: 'valid_from', label: t.fields.valid_from },
      { kind: 'moment', name: 'valid_to', label: t.fields.valid_to },
    ],
    { kind: 'tick', name: 'active', label: t.fields.active },
  ],
});
