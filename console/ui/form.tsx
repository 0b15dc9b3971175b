import { type FormEvent, Fragment, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { text } from '../texts/app.ts';
import { Button } from './button.tsx';
import { valueText } from './change.tsx';
import { useShortcuts } from './shortcuts.ts';
import './form.css';
import { keysOf } from './keys.ts';
import { Sentence } from './page.tsx';
import { Problem } from './problem.tsx';
import { unreadField, watchUnread } from './unread.ts';

/** What the server says of one value. `pointer`: the JSON pointer of the value in the request's body. */
export type FieldError = { pointer: string; detail: string };

type FormState<Name extends string> = {
  errors: readonly FieldError[];
  failure: unknown;
  isSaving: boolean;
  isEdited: boolean;
  savedCount: number;
  conflicts: readonly { name: Name; mine: unknown; theirs: unknown }[];
  choose(name: Name, whose: 'mine' | 'theirs'): void;
  save(): Promise<void>;
  reset(): void;
  tellUnread(hasUnread: boolean): void;
};

export type FormProps<Name extends string> = {
  label: string;
  form: FormState<Name>;
  children: ReactNode;
  submit?: string;
  /** Its first act saves a record, though it is called otherwise. */
  savesRecord?: boolean;
  /** Whether it can be sent as it was opened, as a new record can. */
  canSendUnedited?: boolean;
  /** The name of a field as people know it, for a field that two have changed. */
  nameOf?(name: Name): string;
  /** How a value of a field is shown, for a field that two have changed. */
  showValue?(name: Name, value: unknown): ReactNode;
  /** What is said of a failure instead of the server's own words; undefined: its words. */
  showFailure?(failure: unknown): ReactNode;
  /** Shows the values to somebody who may not change them. */
  isReadOnly?: boolean;
  /** What sends it with Ctrl or ⌘: S saves and does nothing else, so a form that starts or answers something has Enter. */
  keys?: 'mod+s' | 'mod+enter';
  /** Further acts beside the first one. */
  acts?: ReactNode;
  /** They say what is saved, so nothing else has to say that something is edited. */
  saysWhatIsSaved?: boolean;
  /** What must be known before it can be saved is not known yet; who saves now has it saved as soon as it is. */
  isWaiting?: boolean;
  /** It cannot be saved as it stands; its fields say why. */
  isRefused?: boolean;
  /** What is typed while it is saved would be lost, so nothing can be. */
  isHeldWhileSaving?: boolean;
  /** A form of one value beside others: its acts appear when it is edited. */
  isInline?: boolean;
  /** A form that is a page: its fields stand in rows, and what saves them, once they are edited, at the end of the window. */
  isPage?: boolean;
};

const SAVE = 'mod+s';
/** The forms of the page in which a record was changed. */
const edited = new Set<HTMLFormElement>();

/**
 * Of several forms on a page one key saves all that was changed, not only the one with the focus. A form that does something else than
 * save, such as to write a note, may be half-typed and is sent only by itself; beneath a dialog nothing is sent.
 */
function sendAll(own: HTMLFormElement | null): void {
  own?.requestSubmit();
  if (isInDialog(own)) return;
  for (const one of edited) if (one !== own) one.requestSubmit();
}

const isInDialog = (form: HTMLFormElement | null): boolean => form !== null && form.closest('dialog, [role="dialog"]') !== null;

/** A form over one record: its fields, what the server refused, what two people have changed, and the acts. */
export function Form<Name extends string>(props: FormProps<Name>) {
  const { label, form, children, submit = text.form.save, keys = SAVE, canSendUnedited, acts } = props;
  const {
    savesRecord = submit === text.form.save,
    isReadOnly = false,
    isWaiting = false,
    isRefused = false,
    isInline = false,
    isPage = false,
    isHeldWhileSaving = false,
    saysWhatIsSaved = false,
  } = props;
  const { nameOf = (name) => name, showValue = (_, value) => valueText(value), showFailure } = props;
  const element = useRef<HTMLFormElement>(null);
  const { errors, failure } = form;
  useEffect(() => {
    const first = errors.map(({ pointer }) => fieldAt(element.current, pointer)).find((field) => field !== null);
    first?.focus();
  }, [errors]);
  // What is said of the whole form stands at its top, which may be out of sight of the act that was refused.
  const isTold = errors.length === 0 && (Boolean(failure) || form.conflicts.length > 0);
  useEffect(() => {
    if (isTold) element.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }, [isTold]);
  const { shownAnew, discard } = useUnread(element, form);
  const canSend = form.isEdited || canSendUnedited === true;
  const isUntouched = (isInline || isPage) && !canSend;
  const isHeld = isReadOnly || isRefused || form.isSaving || form.conflicts.length > 0 || !canSend;
  const [isDue, setIsDue] = useState(false);
  useEffect(() => {
    if (!isDue || isWaiting) return;
    setIsDue(false);
    element.current?.requestSubmit();
  }, [isDue, isWaiting]);
  const isEditOfRecord = form.isEdited && canSendUnedited !== true && !isReadOnly && keys === SAVE && savesRecord;
  useEffect(() => {
    const { current } = element;
    if (current === null || !isEditOfRecord) return;
    edited.add(current);
    return () => void edited.delete(current);
  }, [isEditOfRecord]);
  const send = (own: HTMLFormElement | null): void => (keys === SAVE ? sendAll(own) : element.current?.requestSubmit());
  // With the focus in none of them, what is half-typed and does something else than save waits.
  const sendFromOutside = (): void => send(isInDialog(element.current) || edited.size === 0 ? element.current : null);
  useShortcuts(canSend ? { [keys]: sendFromOutside } : {});
  function onKeyDown(event: KeyboardEvent): void {
    if (keysOf(event.nativeEvent) !== keys) return;
    event.preventDefault();
    send(element.current);
  }
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    const unread = element.current ? unreadField(element.current) : undefined;
    if (unread) {
      unread.focus();
      unread.dispatchEvent(new Event('invalid'));
    } else if (isHeld) return;
    else if (isWaiting) setIsDue(true);
    else void form.save();
  }
  return (
    <form
      ref={element}
      className={isPage ? 'form page-form' : isInline ? 'form inline' : 'form'}
      aria-label={label}
      onSubmit={onSubmit}
      onKeyDown={onKeyDown}
      onInput={() => setIsDue(false)}
      noValidate
    >
      {errors.length > 0 ? (
        <Refusals errors={errors} form={element} />
      ) : failure ? (
        (showFailure?.(failure) ?? <Problem error={failure} />)
      ) : null}
      {form.conflicts.length > 0 ? <Conflicts form={form} nameOf={nameOf} showValue={showValue} /> : null}
      <fieldset className="form-fields" disabled={isReadOnly || (isHeldWhileSaving && form.isSaving)}>
        <Fragment key={shownAnew}>{children}</Fragment>
      </fieldset>
      {isReadOnly || (isUntouched && !form.isSaving && form.savedCount === 0) ? null : (
        <div className="form-acts">
          {isUntouched ? null : (
            <Button kind="first" type="submit" {...(canSend ? { keys } : {})} disabled={isHeld}>
              {submit}
            </Button>
          )}
          {form.isEdited ? <Button onClick={discard}>{text.form.discard}</Button> : null}
          {acts}
          <span className="muted" role="status">
            {form.isSaving || isDue
              ? text.form.saving
              : form.isEdited
                ? saysWhatIsSaved
                  ? ''
                  : text.form.edited
                : form.savedCount > 0
                  ? text.form.saved
                  : ''}
          </span>
        </div>
      )}
    </form>
  );
}

/** Tells the form of a text that is no value. To discard the values does not change such a text, so the fields are then shown anew. */
function useUnread(element: RefObject<HTMLFormElement | null>, { tellUnread, reset }: Pick<FormState<string>, 'tellUnread' | 'reset'>) {
  const [shownAnew, setShownAnew] = useState(0);
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const unwatch = watchUnread(current, () => tellUnread(unreadField(current) !== undefined));
    return () => {
      unwatch();
      tellUnread(false);
    };
  }, [element, tellUnread]);
  function discard(): void {
    const hadUnread = element.current !== null && unreadField(element.current) !== undefined;
    reset();
    if (hadUnread) setShownAnew((times) => times + 1);
  }
  return { shownAnew, discard };
}

function fieldAt(form: HTMLFormElement | null, pointer: string): HTMLElement | null {
  return form?.querySelector<HTMLElement>(`[data-pointer="${CSS.escape(pointer)}"]`) ?? null;
}

/** What the field is called on the page; of a value without a field, its place in the request. */
function nameAt(form: HTMLFormElement | null, pointer: string): string {
  const field = fieldAt(form, pointer);
  const label = field && 'labels' in field && field.labels instanceof NodeList ? field.labels[0]?.textContent : undefined;
  return label || pointer.replace(/^[/?]/, '');
}

/** All that was refused, each leading to its field. */
function Refusals({ errors, form }: { errors: readonly FieldError[]; form: RefObject<HTMLFormElement | null> }) {
  return (
    <div className="refusals" role="alert">
      <strong>{text.form.refused(errors.length)}</strong>
      <ul>
        {errors.map(({ pointer, detail }) => (
          <li key={`${pointer} ${detail}`}>
            <button type="button" className="link" onClick={() => fieldAt(form.current, pointer)?.focus()}>
              {pointer === '' ? detail : text.form.wrong(nameAt(form.current, pointer), detail)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

type ConflictsProps<Name extends string> = Required<Pick<FormProps<Name>, 'form' | 'nameOf' | 'showValue'>>;

function Conflicts<Name extends string>({ form, nameOf, showValue }: ConflictsProps<Name>) {
  return (
    <div className="conflicts" role="alert">
      <strong>{text.form.conflict}</strong>
      {form.conflicts.map(({ name, mine, theirs }) => (
        <fieldset key={name}>
          <legend>{nameOf(name)}</legend>
          <Button onClick={() => form.choose(name, 'mine')}>
            <Sentence words={text.form.mine} parts={[showValue(name, mine)]} />
          </Button>
          <Button onClick={() => form.choose(name, 'theirs')}>
            <Sentence words={text.form.theirs} parts={[showValue(name, theirs)]} />
          </Button>
        </fieldset>
      ))}
    </div>
  );
}
