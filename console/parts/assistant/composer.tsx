import type { KeyboardEvent } from 'react';
import { assistantText as t } from '../../texts/assistant.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea, Tick } from '../../ui/field.tsx';
import { Missing } from './missing.tsx';

type Props = {
  text: string;
  setText(text: string): void;
  /** What must be set before anything can be sent. */
  missing: string | null;
  isHeld: boolean;
  send(): void;
  /** Asked at the beginning of a thread alone. */
  personal: { isOn: boolean; set(isOn: boolean): void } | null;
};

/** The next message. Enter sends it, with Shift it begins a line. */
export function Composer({ text, setText, missing, isHeld, send, personal }: Props) {
  const canSend = !isHeld && text.trim() !== '';
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (canSend) send();
  }
  return (
    <div className="composer">
      {missing === null ? null : <Missing sentence={missing} />}
      <TextArea
        label={t.message}
        isLabelHidden
        autoFocus
        rows={3}
        maxLength={20_000}
        value={text}
        onValue={setText}
        onKeyDown={onKeyDown}
      />
      {personal ? (
        <>
          <Tick label={t.seesPersonalData} checked={personal.isOn} onValue={personal.set} />
          <small className="muted">{t.seesDetail}</small>
        </>
      ) : null}
      <div className="acts">
        <Button kind="first" disabled={!canSend} onClick={send}>
          {t.send}
        </Button>
      </div>
    </div>
  );
}
