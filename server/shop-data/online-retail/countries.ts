/** The ISO 3166 alpha-2 codes of the file's country names. Three names in the file have no code and are kept as they are. */
const CODES: Readonly<Record<string, string>> = {
  Australia: 'AU',
  Austria: 'AT',
  Bahrain: 'BH',
  Belgium: 'BE',
  Brazil: 'BR',
  Canada: 'CA',
  Cyprus: 'CY',
  'Czech Republic': 'CZ',
  Denmark: 'DK',
  EIRE: 'IE',
  Finland: 'FI',
  France: 'FR',
  Germany: 'DE',
  Greece: 'GR',
  'Hong Kong': 'HK',
  Iceland: 'IS',
  Israel: 'IL',
  Italy: 'IT',
  Japan: 'JP',
  Lebanon: 'LB',
  Lithuania: 'LT',
  Malta: 'MT',
  Netherlands: 'NL',
  Norway: 'NO',
  Poland: 'PL',
  Portugal: 'PT',
  RSA: 'ZA',
  'Saudi Arabia': 'SA',
  Singapore: 'SG',
  Spain: 'ES',
  Sweden: 'SE',
  Switzerland: 'CH',
  USA: 'US',
  'United Arab Emirates': 'AE',
  'United Kingdom': 'GB',
};

/** The code of a country; the unchanged name if it has no code. */
export function countryCode(name: string): string {
  return (hasCountryCode(name) ? CODES[name] : undefined) ?? name;
}

export function hasCountryCode(name: string): boolean {
  return Object.hasOwn(CODES, name);
}
