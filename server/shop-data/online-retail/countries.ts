/** The file's country names as ISO 3166 alpha-2. Three of its names are no country with a code and stay as they are. */
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

/** The code of a country, or the name as it stands where there is none. */
export function countryCode(name: string): string {
  return (hasCountryCode(name) ? CODES[name] : undefined) ?? name;
}

export function hasCountryCode(name: string): boolean {
  return Object.hasOwn(CODES, name);
}
