/** Kettle & Quill: coffee, tea, and what to write with beside it. */
export const SHOP_NAME = 'Kettle & Quill';

export type SampleProduct = {
  name: string;
  /** `label: price in cents`; labels are '' for the only one. */
  variants: Readonly<Record<string, number>>;
  tax: 'standard' | 'reduced' | 'zero';
  weightGrams: number;
  season?: 'winter' | 'summer' | 'gift';
  kind?: 'digital';
  status?: 'draft' | 'archived';
  subscription?: { interval: 'day' | 'week' | 'month' | 'year'; count: number; policy: 'immediate' | 'period_end'; maxCycles: number | null };
  customField?: string;
  wasCents?: number;
  allowBackorder?: boolean;
  text: string;
};

const bag = (price: number) => ({ '250 g': price, '500 g': price * 2 - 150, '1 kg': price * 4 - 600 });
const monthly = { interval: 'month', count: 1, policy: 'period_end', maxCycles: null } as const;

const coffee: readonly SampleProduct[] = [
  { name: 'Ethiopia Guji filter coffee', variants: bag(1190), tax: 'zero', weightGrams: 270, text: 'Peach, jasmine and a long finish.' },
  { name: 'Colombia Huila filter coffee', variants: bag(1090), tax: 'zero', weightGrams: 270, text: 'Red apple and caramel.' },
  { name: 'Kenya Nyeri filter coffee', variants: bag(1290), tax: 'zero', weightGrams: 270, text: 'Blackcurrant and grapefruit.' },
  { name: 'House espresso', variants: bag(990), tax: 'zero', weightGrams: 270, text: 'Chocolate, hazelnut, low acidity.' },
  { name: 'Decaf espresso', variants: bag(1050), tax: 'zero', weightGrams: 270, text: 'Decaffeinated with water in the Swiss way.' },
  { name: 'Christmas blend', variants: { '250 g': 1150, '500 g': 2100 }, tax: 'zero', weightGrams: 270, season: 'gift', text: 'Clove, orange, dark sugar.' },
  { name: 'Cold brew blend', variants: { '250 g': 1050, '1 kg': 3600 }, tax: 'zero', weightGrams: 270, season: 'summer', text: 'Roasted for twelve hours in cold water.' },
  { name: 'Cold brew bottle 330 ml', variants: { single: 390, 'pack of 6': 2090 }, tax: 'standard', weightGrams: 620, season: 'summer', text: 'Ready to drink.' },
  { name: 'Assam breakfast tea', variants: { '50 g': 590, '100 g': 990 }, tax: 'zero', weightGrams: 80, season: 'winter', text: 'Strong, malty, takes milk.' },
  { name: 'Earl Grey', variants: { '50 g': 620, '100 g': 1050 }, tax: 'zero', weightGrams: 80, text: 'With oil of bergamot.' },
  { name: 'Japanese sencha', variants: { '50 g': 890, '100 g': 1590 }, tax: 'zero', weightGrams: 80, text: 'Green and grassy.' },
  { name: 'Ceremonial matcha', variants: { '30 g': 2190 }, tax: 'zero', weightGrams: 90, text: 'Stone-ground in Uji.' },
  { name: 'Peppermint leaves', variants: { '50 g': 490 }, tax: 'zero', weightGrams: 80, season: 'winter', text: 'Whole leaves, nothing else.' },
  { name: 'Drinking chocolate', variants: { '250 g': 950, '1 kg': 3200 }, tax: 'standard', weightGrams: 280, season: 'winter', text: 'Flakes of 70 % chocolate.' },
];

const gear: readonly SampleProduct[] = [
  { name: 'Pour-over dripper', variants: { 'size 1, white': 1890, 'size 2, white': 2290, 'size 2, black': 2390 }, tax: 'standard', weightGrams: 400, text: 'Porcelain.' },
  { name: 'Filter papers', variants: { 'size 1, 100': 590, 'size 2, 100': 690 }, tax: 'standard', weightGrams: 150, text: 'Unbleached.' },
  { name: 'Gooseneck kettle', variants: { black: 8900, steel: 8500 }, tax: 'standard', weightGrams: 1400, wasCents: 9900, text: 'Holds its temperature to the degree.' },
  { name: 'Hand grinder', variants: { '': 7900 }, tax: 'standard', weightGrams: 650, season: 'gift', text: 'Steel burrs, 25 g.' },
  { name: 'Electric burr grinder', variants: { '': 18900 }, tax: 'standard', weightGrams: 3200, allowBackorder: true, text: 'For filter and espresso.' },
  { name: 'Espresso machine One', variants: { steel: 64900, cream: 66900 }, tax: 'standard', weightGrams: 9800, allowBackorder: true, text: 'One boiler, one job.' },
  { name: 'Moka pot', variants: { '3 cups': 2990, '6 cups': 3790 }, tax: 'standard', weightGrams: 700, text: 'Aluminium, made in Italy.' },
  { name: 'French press', variants: { '350 ml': 2490, '1 l': 3290 }, tax: 'standard', weightGrams: 900, text: 'Double walled.' },
  { name: 'Brew scale', variants: { '': 4590 }, tax: 'standard', weightGrams: 450, text: 'A tenth of a gram, with a timer.' },
  { name: 'Milk jug', variants: { '350 ml': 1690, '600 ml': 1990 }, tax: 'standard', weightGrams: 300, text: 'Brushed steel.' },
  { name: 'Stoneware mug', variants: { oat: 1490, ink: 1490, moss: 1490, rust: 1590 }, tax: 'standard', weightGrams: 420, season: 'gift', text: 'Thrown by hand in Cork.' },
  { name: 'Espresso cups, set of 2', variants: { oat: 2190, ink: 2190 }, tax: 'standard', weightGrams: 480, season: 'gift', text: 'With saucers.' },
  { name: 'Travel cup', variants: { '240 ml': 1990, '350 ml': 2290 }, tax: 'standard', weightGrams: 260, season: 'summer', text: 'Does not leak.' },
  { name: 'Teapot with infuser', variants: { '600 ml': 3290, '1 l': 3990 }, tax: 'standard', weightGrams: 900, season: 'winter', text: 'Cast iron.' },
  { name: 'Cleaning tablets', variants: { 'pack of 20': 890 }, tax: 'standard', weightGrams: 120, text: 'For machines and grinders.' },
  { name: 'Barista apron', variants: { S: 3490, M: 3490, L: 3490 }, tax: 'standard', weightGrams: 500, text: 'Waxed cotton.' },
  { name: 'Glass server', variants: { '': 2190 }, tax: 'standard', weightGrams: 420, status: 'archived', text: 'No longer made.' },
  { name: 'Syphon brewer', variants: { '': 9900 }, tax: 'standard', weightGrams: 1800, status: 'archived', text: 'No longer made.' },
];

const stationery: readonly SampleProduct[] = [
  { name: 'Notebook A5', variants: { 'dotted, black': 1690, 'dotted, sand': 1690, 'ruled, black': 1690, 'plain, black': 1690 }, tax: 'standard', weightGrams: 320, customField: 'Name on the cover', text: 'Thread-bound, lies flat.' },
  { name: 'Pocket notebooks, set of 3', variants: { kraft: 1090, ink: 1190 }, tax: 'standard', weightGrams: 160, text: 'For the back pocket.' },
  { name: 'Day planner', variants: { 'this year': 2490, 'next year': 2590 }, tax: 'standard', weightGrams: 480, season: 'gift', text: 'A page a day.' },
  { name: 'Fountain pen Lark', variants: { EF: 3990, F: 3990, M: 3990, B: 3990 }, tax: 'standard', weightGrams: 40, customField: 'Engraving', season: 'gift', text: 'Steel nib, piston filler.' },
  { name: 'Fountain pen Heron', variants: { F: 14900, M: 14900 }, tax: 'standard', weightGrams: 45, customField: 'Engraving', season: 'gift', text: 'Gold nib.' },
  { name: 'Bottled ink 50 ml', variants: { midnight: 1290, moss: 1290, oxblood: 1290, grey: 1290 }, tax: 'standard', weightGrams: 210, text: 'Does not feather.' },
  { name: 'Ink cartridges', variants: { midnight: 390, black: 390 }, tax: 'standard', weightGrams: 20, text: 'Six of them.' },
  { name: 'Mechanical pencil', variants: { '0.5 mm': 1890, '0.7 mm': 1890 }, tax: 'standard', weightGrams: 30, text: 'Brass.' },
  { name: 'Writing paper', variants: { 'A4, 50 sheets': 990, 'A5, 50 sheets': 690 }, tax: 'standard', weightGrams: 300, text: 'Laid, 100 g.' },
  { name: 'Envelopes C6, 25', variants: { '': 590 }, tax: 'standard', weightGrams: 150, text: 'Lined.' },
  { name: 'Sealing wax set', variants: { '': 1990 }, tax: 'standard', weightGrams: 260, season: 'gift', text: 'Two sticks and a stamp.' },
  { name: 'Desk blotter', variants: { walnut: 5900, oak: 5600 }, tax: 'standard', weightGrams: 1100, text: 'Leather and wood.' },
  { name: 'Pen roll', variants: { tan: 3490, black: 3490 }, tax: 'standard', weightGrams: 180, text: 'For five pens.' },
  { name: 'Greeting cards, set of 5', variants: { birthday: 1190, thanks: 1190, 'mixed': 1190 }, tax: 'standard', weightGrams: 90, text: 'Letterpress.' },
  { name: 'Advent calendar of tea', variants: { '': 2990 }, tax: 'zero', weightGrams: 500, season: 'gift', text: 'Twenty-four bags.' },
  { name: 'Calligraphy starter kit', variants: { '': 3290 }, tax: 'standard', weightGrams: 350, text: 'Two nibs, ink, a pad.' },
  { name: 'Leather journal', variants: { A5: 4490, A6: 3490 }, tax: 'standard', weightGrams: 400, status: 'draft', text: 'Coming in spring.' },
  { name: 'Glass dip pen', variants: { '': 2790 }, tax: 'standard', weightGrams: 60, status: 'draft', text: 'Photographs are missing.' },
];

const digital: readonly SampleProduct[] = [
  { name: 'Home barista course', variants: { '': 4900 }, tax: 'standard', weightGrams: 0, kind: 'digital', text: 'Two hours of film and a book.' },
  { name: 'Italic handwriting workbook (PDF)', variants: { '': 1200 }, tax: 'reduced', weightGrams: 0, kind: 'digital', text: 'Sixty pages to print.' },
  { name: 'Brew guide (PDF)', variants: { '': 500 }, tax: 'reduced', weightGrams: 0, kind: 'digital', text: 'Seven ways to make a cup.' },
  { name: 'Printable planner pages (PDF)', variants: { A4: 700, A5: 700 }, tax: 'reduced', weightGrams: 0, kind: 'digital', season: 'gift', text: 'For the year.' },
  { name: 'Gift card', variants: { '25': 2500, '50': 5000, '100': 10000 }, tax: 'zero', weightGrams: 0, kind: 'digital', season: 'gift', text: 'Sent by e-mail.' },
  { name: 'Video library', variants: { '': 9900 }, tax: 'standard', weightGrams: 0, kind: 'digital', subscription: { interval: 'year', count: 1, policy: 'immediate', maxCycles: null }, text: 'All courses for a year.' },
  { name: 'Tasting diary, daily letters', variants: { '': 100 }, tax: 'standard', weightGrams: 0, kind: 'digital', subscription: { interval: 'day', count: 1, policy: 'immediate', maxCycles: 30 }, text: 'A letter a day for a month.' },
  { name: 'Coffee subscription', variants: { '250 g': 1090, '500 g': 1990, '1 kg': 3690 }, tax: 'zero', weightGrams: 270, subscription: monthly, text: 'What was roasted this week.' },
  { name: 'Office coffee subscription', variants: { '2 kg': 6900, '5 kg': 15900 }, tax: 'zero', weightGrams: 2050, subscription: { interval: 'week', count: 2, policy: 'period_end', maxCycles: null }, text: 'Every second week.' },
  { name: 'Letter-writing box', variants: { '': 2490 }, tax: 'standard', weightGrams: 700, subscription: { ...monthly, count: 3, maxCycles: 4 }, text: 'Paper, ink and stamps each quarter.' },
];

export const PRODUCTS: readonly SampleProduct[] = [...coffee, ...gear, ...stationery, ...digital];

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
