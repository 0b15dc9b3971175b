import type { NewRow } from '../../db/tables.ts';
import { digitsOf, sortKey } from '../../values/texts.ts';
import type { Calendar } from './calendar.ts';
import { type Random, randomOf } from './random.ts';

export type Person = {
  index: number;
  name: string;
  nameFolded: string;
  email: string;
  emailFolded: string;
  phone: string | null;
  registered: boolean;
  isB2b: boolean;
  /** The index of the discount group in `DISCOUNT_GROUPS`; null: none. */
  group: number | null;
  ip: string;
  address: { line1: string; line2: string | null; city: string; state: string; postal_code: string; country: string };
  createdMs: number;
  /** After this time the person buys nothing more. */
  leavesMs: number;
  /** How often the person buys, from 0 to 1. */
  loyalty: number;
};

const FIRST = [
  'Aoife',
  'Brian',
  'Ciara',
  'Declan',
  'Emma',
  'Finn',
  'Gráinne',
  'Hannah',
  'Ian',
  'Jürgen',
  'Katie',
  'Liam',
  'Maeve',
  'Niall',
  'Órla',
  'Patrick',
  'Róisín',
  'Seán',
  'Tom',
  'Una',
  'Sofia',
  'Lukas',
  'Élodie',
  'Mateo',
  'Zoë',
  'Anna',
  'Peter',
  'Ingrid',
] as const;
const LAST = [
  'Murphy',
  "O'Brien",
  'Walsh',
  'Byrne',
  'Ryan',
  "O'Sullivan",
  'Doyle',
  'McCarthy',
  'Kennedy',
  'Lynch',
  'Fitzgerald',
  'Smith',
  'Taylor',
  'Müller',
  'Weiß',
  'Schmidt',
  'Dubois',
  'Lefèvre',
  'de Vries',
  'Jansen',
  'García',
  'Novák',
  'Kovács',
  'Rossi',
  'Johnson',
  'Brown',
  'Clarke',
  'Hughes',
  'Nolan',
  'Power',
] as const;
const COMPANIES = [
  'Café Corner',
  'Harbour Office',
  'Blue Door Hotel',
  'Print House',
  'River School',
  'North Law',
  'Studio Nine',
  'Old Mill Bakery',
] as const;
const STREETS = [
  'Main Street',
  'Church Road',
  'Harbour View',
  'Mill Lane',
  'Station Road',
  'Park Avenue',
  'Bridge Street',
  'The Green',
] as const;
type City = readonly [name: string, postalCode: string];
const CITIES: Readonly<Record<keyof typeof COUNTRY_WEIGHTS, readonly [City, ...City[]]>> = {
  IE: [
    ['Dublin', 'D02 X285'],
    ['Cork', 'T12 R5C8'],
    ['Galway', 'H91 E2K3'],
    ['Limerick', 'V94 T9PX'],
    ['Waterford', 'X91 P2KD'],
  ],
  GB: [
    ['London', 'N1 7AA'],
    ['Leeds', 'LS1 4AP'],
    ['Belfast', 'BT1 5GS'],
  ],
  DE: [
    ['Berlin', '10115'],
    ['Köln', '50667'],
  ],
  FR: [
    ['Paris', '75011'],
    ['Nîmes', '30000'],
  ],
  NL: [['Utrecht', '3511 AB']],
  US: [['Portland', '97205']],
};
const COUNTRY_WEIGHTS = { IE: 58, GB: 18, DE: 9, FR: 7, NL: 5, US: 3 } as const;

/** Every 40th customer is a person who is already a customer under another email address. */
const DUPLICATE_EVERY = 40;
const DAY_MS = 86_400_000;

export type People = { count: number; at(index: number): Person; firstOrderOf(index: number): number };

/**
 * The customers of a shop, in the order of their creation; each is computed from the seed. At most `atHand` of them are kept in
 * memory; the others are computed again when they are asked for.
 */
export function peopleOf(seed: number, calendar: Calendar, orders: number, count: number, atHand = 2 ** 16): People {
  const kept: Person[] = [];
  const firstOrderOf = (index: number): number => Math.floor((index * orders) / count);
  const at = (index: number): Person => {
    const known = kept[index % atHand];
    if (known?.index === index) return known;
    const createdMs = calendar.timeOf(firstOrderOf(index)) - 300_000;
    const isDuplicate = index % DUPLICATE_EVERY === DUPLICATE_EVERY - 1;
    const person = isDuplicate ? duplicateOf(at(index - 7), index, createdMs) : newPerson(seed, index, createdMs);
    kept[index % atHand] = person;
    return person;
  };
  return { count, at, firstOrderOf };
}

function newPerson(seed: number, index: number, createdMs: number): Person {
  const random = randomOf(seed, 'customer', index);
  const name = `${random.pick(FIRST)} ${random.pick(LAST)}`;
  const isB2b = random.chance(0.08);
  const country = random.weighted(COUNTRY_WEIGHTS);
  const [city, postalCode] = random.pick(CITIES[country]);
  const isLoyal = random.chance(0.45);
  const lifeDays = isLoyal ? random.int(200, 900) : random.int(0, 120);
  return named({
    index,
    name: isB2b ? `${random.pick(COMPANIES)} ${index}` : name,
    email: `${slug(name)}${index}@${random.pick(['example.com', 'example.org', 'example.net'])}`,
    phone: random.chance(0.7) ? `+353 20 91${random.int(0, 9)} ${String(random.int(0, 9999)).padStart(4, '0')}` : null,
    registered: random.chance(0.65),
    isB2b,
    group: isB2b && index % 5 !== 0 ? index % 2 : null,
    ip: `203.0.113.${random.int(1, 254)}`,
    address: {
      line1: `${random.int(1, 120)} ${random.pick(STREETS)}`,
      line2: random.chance(0.2) ? `Apartment ${random.int(1, 40)}` : null,
      city,
      state: country === 'US' ? 'OR' : '',
      postal_code: postalCode,
      country,
    },
    createdMs,
    leavesMs: createdMs + lifeDays * DAY_MS,
    loyalty: isLoyal ? 0.4 + 0.6 * random.next() : 0.1,
  });
}

function named(person: Omit<Person, 'nameFolded' | 'emailFolded'>): Person {
  return { ...person, nameFolded: sortKey(person.name), emailFolded: sortKey(person.email) };
}

export function customerRow(person: Person, id: number, groupIds: readonly number[]): NewRow<'customers'> {
  const at = new Date(person.createdMs).toISOString();
  return {
    id,
    name: person.name,
    name_folded: person.nameFolded,
    email: person.email,
    email_folded: person.emailFolded,
    phone: person.phone,
    phone_digits: digitsOf(person.phone),
    registered: person.registered ? 1 : 0,
    is_b2b: person.isB2b ? 1 : 0,
    discount_group_id: person.group === null ? null : (groupIds[person.group] ?? null),
    register_ip: person.registered ? person.ip : '',
    last_login_ip: person.registered ? person.ip : '',
    created_at: at,
    updated_at: at,
  };
}

export function addressRows(person: Person, id: number): NewRow<'addresses'>[] {
  const shipping = { customer_id: id, address_type: 'shipping', label: person.isB2b ? 'Office' : 'Home', ...person.address, is_default: 1 };
  if (person.index % 6 !== 0) return [shipping];
  return [
    shipping,
    { ...shipping, address_type: 'billing', label: 'Accounts', line1: `${person.address.line1}, first floor`, is_default: 0 },
  ];
}

const NOTES = [
  'Asked for the invoice in German.',
  'Prefers delivery after 17:00.',
  'Very happy with the engraving; wants the same again next year.',
  'Parcel arrived damaged in March, replaced without charge.',
  'Only call in the morning.',
  'Orders for the whole office: offer the subscription.',
] as const;

export function noteRows(person: Person, id: number, random: Random, nowMs: number): NewRow<'customer_notes'>[] {
  const notes = random.weighted({ none: 80, one: 15, two: 5 });
  const count = notes === 'none' ? 0 : notes === 'one' ? 1 : 2;
  return Array.from({ length: count }, () => ({
    customer_id: id,
    author: random.pick(['Ada Quill', 'Ben Kettle']),
    body: random.pick(NOTES),
    created_at: new Date(person.createdMs + Math.floor(random.next() * (nowMs - person.createdMs))).toISOString(),
  }));
}

function duplicateOf(person: Person, index: number, createdMs: number): Person {
  const inCapitals = index % (2 * DUPLICATE_EVERY) === DUPLICATE_EVERY - 1;
  return named({
    ...person,
    index,
    name: inCapitals ? person.name.toUpperCase() : person.name.normalize('NFD').replaceAll(/\p{M}/gu, ''),
    email: `${slug(person.name)}.${index}@example.org`,
    registered: false,
    createdMs,
    leavesMs: createdMs + 200 * DAY_MS,
  });
}

function slug(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll(/[^a-z ]/g, '')
    .trim()
    .replaceAll(' ', '.');
}
