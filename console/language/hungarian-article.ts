/** Whether a word, a name or a number is read with a vowel first; of numbers: egy, öt, ezer, egymillió, and what begins with them. */
function startsWithVowel(next: string): boolean {
  const [, digits = '', rest = ''] = /^["„»#(]*(?:(\d[\d\s]*)|(\p{L}))?/u.exec(next) ?? [];
  if (digits === '') return /^[aáeéiíoóöőuúüű]$/iu.test(rest);
  const figures = digits.replace(/\s/g, '');
  return figures.startsWith('5') || (figures.startsWith('1') && figures.length % 3 === 1);
}

/** The definite article with what follows it: `az 5. verzió`, `a 12. verzió`. */
export const az = (next: string): string => `${startsWithVowel(next) ? 'az' : 'a'} ${next}`;

/** The same at the beginning of a sentence. */
export const Az = (next: string): string => `${startsWithVowel(next) ? 'Az' : 'A'} ${next}`;
