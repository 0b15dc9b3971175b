import { useState } from 'react';
import { slugOf } from '../../contract/texts.ts';
import { type Shared, TextField, type Valued } from '../ui/field.tsx';

type Props = { name: Shared & Valued<string>; slug: Shared & Valued<string>; longest?: number };

/** The name of a new record, and its address, which is proposed from the name until somebody types one. */
export function SlugFields({ name, slug, longest }: Props) {
  const [isSlugTyped, setSlugTyped] = useState(false);
  const [proposed] = useState(() => slugProposals(longest));
  function setName(typed: string): void {
    name.onValue(typed);
    if (!isSlugTyped) slug.onValue(proposed(typed));
  }
  function setSlug(typed: string): void {
    slug.onValue(typed);
    setSlugTyped(true);
  }
  return (
    <>
      <TextField {...name} onValue={setName} autoFocus autoComplete="off" />
      <TextField {...slug} onValue={setSlug} autoComplete="off" />
    </>
  );
}

/** The characters of public ids, in lower case (spec PH9). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Proposes the address of a new record from its name, anew at each change of the name. A name without Latin letters and digits gets a random
 * public id, which stays the same while the name is typed.
 */
function slugProposals(longest?: number): (name: string) => string {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => ALPHABET.charAt(byte & 31)).join('');
  return (name) => slugOf(name, longest) || (/[\p{L}\p{N}]/u.test(name) ? id : '');
}
