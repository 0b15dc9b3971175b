import { Combobox, ComboboxItem, ComboboxPopover, useComboboxStore } from '@ariakit/react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useId, useRef, useState } from 'react';
import { withoutMarks } from '../../../contract/texts.ts';
import { timelineText } from '../../texts/timeline.ts';
import { described, Field } from '../../ui/field.tsx';
import '../../ui/menu.css';
import { adminNames } from '../admin-names.ts';
import { typedName } from './mentions.ts';

const t = timelineText.comment;
const SHOWN = 8;

type Props = {
  label: string;
  hint?: string;
  error?: string | undefined;
  pointer?: string | undefined;
  value: string;
  onValue(value: string): void;
  autoFocus?: boolean;
};

/** A text in which `@` and the beginning of a name complete to an admin. */
export function MentionField({ value, onValue, autoFocus = false, ...shared }: Props) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const store = useComboboxStore();
  const [at, setAt] = useState<ReturnType<typeof typedName>>(null);
  const names = useQuery(adminNames);
  const sought = fold(at?.typed ?? '');
  const found = (names.data ?? []).filter(({ name, active }) => active && fold(name).includes(sought)).slice(0, SHOWN);

  function follow(text: string, caret: number): void {
    const typed = typedName(text, caret);
    setAt(typed);
    if (typed) {
      store.setValue(typed.typed);
      store.show();
    } else store.hide();
  }

  function complete(name: string): void {
    if (!at) return;
    const end = at.from + 1 + at.typed.length;
    const before = `${value.slice(0, at.from)}@${name} `;
    onValue(before + value.slice(end).replace(/^ /, ''));
    setAt(null);
    store.hide();
    requestAnimationFrame(() => field.current?.setSelectionRange(before.length, before.length));
  }

  return (
    <Field {...shared} id={id}>
      <Combobox
        store={store}
        autoSelect
        showOnClick={false}
        showOnChange={false}
        showOnKeyPress={false}
        setValueOnChange={false}
        value={value}
        className="input"
        {...described(id, shared)}
        role="textbox"
        render={<Lines ref={field} rows={2} maxLength={10_000} autoFocus={autoFocus} />}
        onChange={(event) => {
          onValue(event.target.value);
          follow(event.target.value, event.target.selectionStart ?? 0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') store.hide();
        }}
      />
      <ComboboxPopover store={store} className="menu" gutter={4} portal unmountOnHide hidden={at === null}>
        {found.map((admin) => (
          <ComboboxItem key={admin.id} className="menu-item" focusOnHover onClick={() => complete(admin.name)}>
            {admin.name}
          </ComboboxItem>
        ))}
        {found.length === 0 ? <p className="menu-label">{t.nobody}</p> : null}
      </ComboboxPopover>
    </Field>
  );
}

/** A field of several lines is a text box, of which nothing is said of being open. */
function Lines({ 'aria-expanded': _, ...props }: ComponentProps<'textarea'>) {
  return <textarea {...props} />;
}

const fold = (text: string): string => withoutMarks(text).toLowerCase();
