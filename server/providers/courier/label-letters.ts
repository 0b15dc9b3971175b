/** What the built-in font of labels prints: Latin-1 without its control characters. */
const UNPRINTABLE = /[^\x20-\x7e\xa1-\xff]/gu;

/** Latin letters that are no letter with an accent, and marks of writing. */
const LIKE: Readonly<Record<string, string>> = {
  ...{ Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', Ħ: 'H', ħ: 'h', ı: 'i', Œ: 'OE', œ: 'oe', Ŋ: 'N', ŋ: 'n', Ŧ: 'T', ŧ: 't', ĸ: 'k', ſ: 's', ẞ: 'SS' },
  ...{ Ə: 'E', ə: 'e', Ɖ: 'D', ɖ: 'd', Ɓ: 'B', ɓ: 'b', Ɗ: 'D', ɗ: 'd', Ƙ: 'K', ƙ: 'k', Ɛ: 'E', ɛ: 'e', Ɔ: 'O', ɔ: 'o', ʻ: "'", ʼ: "'" },
  ...{ '‘': "'", '’': "'", '‚': ',', '“': '"', '”': '"', '„': '"', '–': '-', '—': '-', '−': '-', '…': '...', '€': 'EUR' },
};

/** Replaces letters that the built-in font lacks: Latin ones lose their accent, others become a question mark. */
export function inLatin(value: string): string {
  return value.normalize('NFC').replaceAll(UNPRINTABLE, (letter) => likeOf(letter) ?? '?');
}

/** The letters of these texts that the built-in font has nothing like, each once. */
export function lettersMissing(texts: readonly string[]): string[] {
  const letters = texts.flatMap((text) => text.normalize('NFC').match(UNPRINTABLE) ?? []);
  return [...new Set(letters)].filter((letter) => likeOf(letter) === null);
}

function likeOf(letter: string): string | null {
  const plain = letter.normalize('NFKD').replaceAll(/[\p{M}\p{Cf}\p{Cc}]/gu, '');
  const like = [...plain].map((one) => LIKE[one] ?? one).join('');
  return like.replaceAll(UNPRINTABLE, '') === like ? like : null;
}
