import { DIGITAL, STATIONERY } from './catalogue-paper.ts';

/** The sample shop sells coffee, tea and stationery. */
export const SHOP_NAME = 'Kettle & Quill';

export type SampleProduct = {
  name: string;
  /** Each variant's price in cents by its label; the label of an only variant is ''. */
  variants: Readonly<Record<string, number>>;
  tax: 'standard' | 'reduced' | 'zero';
  weightGrams: number;
  season?: 'winter' | 'summer' | 'gift';
  kind?: 'digital';
  status?: 'draft' | 'archived';
  subscription?: {
    interval: 'day' | 'week' | 'month' | 'year';
    count: number;
    policy: 'immediate' | 'period_end';
    maxCycles: number | null;
  };
  customField?: string;
  wasCents?: number;
  allowBackorder?: boolean;
  text: string;
};

const bag = (price: number) => ({ '250 g': price, '500 g': price * 2 - 150, '1 kg': price * 4 - 600 });

const coffee: readonly SampleProduct[] = [
  { name: 'Ethiopia Guji filter coffee', variants: bag(1190), tax: 'zero', weightGrams: 270, text: 'Peach, jasmine and a long finish.' },
  { name: 'Colombia Huila filter coffee', variants: bag(1090), tax: 'zero', weightGrams: 270, text: 'Red apple and caramel.' },
  { name: 'Kenya Nyeri filter coffee', variants: bag(1290), tax: 'zero', weightGrams: 270, text: 'Blackcurrant and grapefruit.' },
  { name: 'House espresso', variants: bag(990), tax: 'zero', weightGrams: 270, text: 'Chocolate, hazelnut, low acidity.' },
  { name: 'Decaf espresso', variants: bag(1050), tax: 'zero', weightGrams: 270, text: 'Decaffeinated with water in the Swiss way.' },
  {
    name: 'Christmas blend',
    variants: { '250 g': 1150, '500 g': 2100 },
    tax: 'zero',
    weightGrams: 270,
    season: 'gift',
    text: 'Clove, orange, dark sugar.',
  },
  {
    name: 'Cold brew blend',
    variants: { '250 g': 1050, '1 kg': 3600 },
    tax: 'zero',
    weightGrams: 270,
    season: 'summer',
    text: 'Roasted for twelve hours in cold water.',
  },
  {
    name: 'Cold brew bottle 330 ml',
    variants: { single: 390, 'pack of 6': 2090 },
    tax: 'standard',
    weightGrams: 620,
    season: 'summer',
    text: 'Ready to drink.',
  },
  {
    name: 'Assam breakfast tea',
    variants: { '50 g': 590, '100 g': 990 },
    tax: 'zero',
    weightGrams: 80,
    season: 'winter',
    text: 'Strong, malty, takes milk.',
  },
  { name: 'Earl Grey', variants: { '50 g': 620, '100 g': 1050 }, tax: 'zero', weightGrams: 80, text: 'With oil of bergamot.' },
  { name: 'Japanese sencha', variants: { '50 g': 890, '100 g': 1590 }, tax: 'zero', weightGrams: 80, text: 'Green and grassy.' },
  { name: 'Ceremonial matcha', variants: { '30 g': 2190 }, tax: 'zero', weightGrams: 90, text: 'Stone-ground in Uji.' },
  {
    name: 'Peppermint leaves',
    variants: { '50 g': 490 },
    tax: 'zero',
    weightGrams: 80,
    season: 'winter',
    text: 'Whole leaves, nothing else.',
  },
  {
    name: 'Drinking chocolate',
    variants: { '250 g': 950, '1 kg': 3200 },
    tax: 'standard',
    weightGrams: 280,
    season: 'winter',
    text: 'Flakes of 70 % chocolate.',
  },
];

const gear: readonly SampleProduct[] = [
  {
    name: 'Pour-over dripper',
    variants: { 'size 1, white': 1890, 'size 2, white': 2290, 'size 2, black': 2390 },
    tax: 'standard',
    weightGrams: 400,
    text: 'Porcelain.',
  },
  { name: 'Filter papers', variants: { 'size 1, 100': 590, 'size 2, 100': 690 }, tax: 'standard', weightGrams: 150, text: 'Unbleached.' },
  {
    name: 'Gooseneck kettle',
    variants: { black: 8900, steel: 8500 },
    tax: 'standard',
    weightGrams: 1400,
    wasCents: 9900,
    text: 'Holds its temperature to the degree.',
  },
  { name: 'Hand grinder', variants: { '': 7900 }, tax: 'standard', weightGrams: 650, season: 'gift', text: 'Steel burrs, 25 g.' },
  {
    name: 'Electric burr grinder',
    variants: { '': 18900 },
    tax: 'standard',
    weightGrams: 3200,
    allowBackorder: true,
    text: 'For filter and espresso.',
  },
  {
    name: 'Espresso machine One',
    variants: { steel: 64900, cream: 66900 },
    tax: 'standard',
    weightGrams: 9800,
    allowBackorder: true,
    text: 'One boiler, one job.',
  },
  { name: 'Moka pot', variants: { '3 cups': 2990, '6 cups': 3790 }, tax: 'standard', weightGrams: 700, text: 'Aluminium, made in Italy.' },
  { name: 'French press', variants: { '350 ml': 2490, '1 l': 3290 }, tax: 'standard', weightGrams: 900, text: 'Double walled.' },
  { name: 'Brew scale', variants: { '': 4590 }, tax: 'standard', weightGrams: 450, text: 'A tenth of a gram, with a timer.' },
  { name: 'Milk jug', variants: { '350 ml': 1690, '600 ml': 1990 }, tax: 'standard', weightGrams: 300, text: 'Brushed steel.' },
  {
    name: 'Stoneware mug',
    variants: { oat: 1490, ink: 1490, moss: 1490, rust: 1590 },
    tax: 'standard',
    weightGrams: 420,
    season: 'gift',
    text: 'Thrown by hand in Cork.',
  },
  {
    name: 'Espresso cups, set of 2',
    variants: { oat: 2190, ink: 2190 },
    tax: 'standard',
    weightGrams: 480,
    season: 'gift',
    text: 'With saucers.',
  },
  {
    name: 'Travel cup',
    variants: { '240 ml': 1990, '350 ml': 2290 },
    tax: 'standard',
    weightGrams: 260,
    season: 'summer',
    text: 'Does not leak.',
  },
  {
    name: 'Teapot with infuser',
    variants: { '600 ml': 3290, '1 l': 3990 },
    tax: 'standard',
    weightGrams: 900,
    season: 'winter',
    text: 'Cast iron.',
  },
  { name: 'Cleaning tablets', variants: { 'pack of 20': 890 }, tax: 'standard', weightGrams: 120, text: 'For machines and grinders.' },
  { name: 'Barista apron', variants: { S: 3490, M: 3490, L: 3490 }, tax: 'standard', weightGrams: 500, text: 'Waxed cotton.' },
  { name: 'Glass server', variants: { '': 2190 }, tax: 'standard', weightGrams: 420, status: 'archived', text: 'No longer made.' },
  { name: 'Syphon brewer', variants: { '': 9900 }, tax: 'standard', weightGrams: 1800, status: 'archived', text: 'No longer made.' },
];

export const PRODUCTS: readonly SampleProduct[] = [...coffee, ...gear, ...STATIONERY, ...DIGITAL];

export const TAX_RATES = {
  standard: { name: 'Standard rate', rate_bps: 2300, country: null, is_default: 1 },
  reduced: { name: 'Reduced rate', rate_bps: 900, country: null, is_default: 0 },
  zero: { name: 'Zero rate', rate_bps: 0, country: null, is_default: 0 },
} as const;

export const INTERNAL_STATUSES = [
  { name: 'Waiting for stock', color: '#d9822b' },
  { name: 'Call the customer', color: '#c23030' },
  { name: 'Gift wrapping', color: '#8f398f' },
  { name: 'Ready for pickup', color: '#238551' },
] as const;
