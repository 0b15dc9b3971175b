const LONGEST = 100;

/** A name as the part of an address: `Grüner Tee, 100 g` is `gruener-tee-100-g`. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[äöüß]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' })[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-+|-+$/g, '');
}
