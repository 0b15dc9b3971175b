import { type InputHTMLAttributes, useId, useLayoutEffect, useRef, useState } from 'react';
import { text } from '../texts/app.ts';
import { described, Field, type Own, type Shared, type Valued } from './field.tsx';

type Props = Shared & Valued<string> & Omit<Own<InputHTMLAttributes<HTMLInputElement>>, 'type' | 'max'> & { hasTime?: boolean };

/**
 * A date, or a date with its time, as the browser writes it; nothing typed is ''. While it is half typed it stays as it is and keeps its
 * value. React does not hold what is shown, since it would empty the field: the browser calls a half-typed date '' or of the year 20.
 */
export function DateField({ label, error, hint, pointer, isLabelHidden, value, onValue, hasTime = false, ...rest }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const known = useRef<string>(null);
  const [isHalf, setHalf] = useState(false);
  const [isTold, setTold] = useState(false);
  useLayoutEffect(() => {
    if (input.current === null || value === known.current) return;
    input.current.value = value;
    known.current = input.current.value;
    setHalf(false);
    setTold(false);
  }, [value]);
  // Some steps are not told by an event of their own: a part of an empty date is typed, the last part of a half-typed one is emptied.
  function read(): void {
    const field = input.current;
    if (field === null) return;
    const isNowHalf = isHalfTyped(field);
    setHalf(isNowHalf);
    if (!isNowHalf) setTold(false);
    if (isNowHalf || field.value === known.current) return;
    known.current = field.value;
    onValue(field.value);
  }
  function tell(): void {
    read();
    setTold(input.current !== null && isHalfTyped(input.current));
  }
  const shared = { label, error: error ?? (isTold ? text.form.noDate : undefined), hint, pointer, isLabelHidden };
  return (
    <Field {...shared} id={id}>
      <input
        className="input"
        {...rest}
        {...described(id, shared)}
        ref={input}
        type={hasTime ? 'datetime-local' : 'date'}
        max={hasTime ? '9999-12-31T23:59' : '9999-12-31'}
        data-unread={isHalf || undefined}
        onChange={read}
        onKeyUp={read}
        // Words that appear while a button is pressed would move it away from under the pointer.
        onBlur={({ relatedTarget }) => (relatedTarget instanceof HTMLButtonElement ? read() : tell())}
        onInvalid={tell}
      />
    </Field>
  );
}

/** On the way to a year of four digits, the browser reads one of fewer. */
function isHalfTyped({ value, validity }: HTMLInputElement): boolean {
  return validity.badInput || (value !== '' && !/^[1-9]\d{3}-/.test(value));
}
