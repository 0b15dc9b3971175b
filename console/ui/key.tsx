import { showKeys } from './keys.ts';

/** The key that does the same as what it stands in, which names it to readers by `aria-keyshortcuts`. */
export function Key({ keys }: { keys: string | undefined }) {
  return keys === undefined ? null : (
    <span className="key" aria-hidden="true">
      {showKeys(keys)}
    </span>
  );
}
