import { Toolbar as Bar, ToolbarItem, ToolbarProvider, ToolbarSeparator } from '@ariakit/react';
import { visualText as t } from '../texts/visual.ts';
import { Button } from '../ui/button.tsx';
import { showKeys } from '../ui/keys.ts';
import { type Act, type BlockKind, blockKinds, type Shown } from './commands.ts';
import { Sign, type SignName } from './icons.tsx';

type Props = {
  shown: Shown;
  act(act: Act): void;
  setBlock(kind: BlockKind): void;
  onLink(): void;
  onImage(): void;
  note: string;
};

const keys: Partial<Record<SignName, string>> = {
  strong: 'mod+b',
  em: 'mod+i',
  code: 'mod+e',
  ordered_list: 'mod+⇧+7',
  bullet_list: 'mod+⇧+8',
  blockquote: 'mod+⇧+9',
  undo: 'mod+z',
  redo: 'mod+y',
};
const inTable = ['row', 'column', 'drop_row', 'drop_column', 'drop_table'] as const;

/** One stop for Tab; the arrows lead along it. */
export function Toolbar({ shown, act, setBlock, onLink, onImage, note }: Props) {
  const button = (name: Act & SignName) => (
    <ActButton key={name} name={name} isOn={shown.on.has(name)} isOff={!shown.can.has(name)} onClick={() => act(name)} />
  );
  return (
    <ToolbarProvider>
      <Bar className="visual-toolbar" aria-label={t.toolbar}>
        <ToolbarItem
          render={
            <select
              className="input visual-kind"
              aria-label={t.kind}
              value={shown.block ?? ''}
              onChange={({ target }) => {
                const kind = blockKinds.find((one) => one === target.value);
                if (kind) setBlock(kind);
              }}
            />
          }
        >
          {shown.block === null ? <option value="">{t.noKind}</option> : null}
          {blockKinds.map((kind) => (
            <option key={kind} value={kind}>
              {t.kinds[kind]}
            </option>
          ))}
        </ToolbarItem>
        <ToolbarSeparator className="visual-gap" />
        {(['strong', 'em', 'code'] as const).map(button)}
        <ActButton name="link" isOn={shown.link !== null} isOff={false} onClick={onLink} />
        <ToolbarSeparator className="visual-gap" />
        {(['bullet_list', 'ordered_list', 'blockquote'] as const).map(button)}
        <ToolbarSeparator className="visual-gap" />
        {(['table', 'rule'] as const).map((name) => (
          <ActButton key={name} name={name} isOff={!shown.can.has(name)} onClick={() => act(name)} />
        ))}
        <ActButton name="image" isOff={false} onClick={onImage} />
        <ToolbarSeparator className="visual-gap" />
        {(['undo', 'redo'] as const).map((name) => (
          <ActButton key={name} name={name} isOff={!shown.can.has(name)} onClick={() => act(name)} />
        ))}
        <span className="muted visual-note" role="status">
          {note}
        </span>
      </Bar>
      {shown.isInTable ? (
        <fieldset className="visual-toolbar" aria-label={t.acts.table}>
          {inTable.map((name) => (
            <Button key={name} kind="quiet" disabled={!shown.can.has(name)} onClick={() => act(name)}>
              {t.acts[name]}
            </Button>
          ))}
        </fieldset>
      ) : null}
    </ToolbarProvider>
  );
}

type ButtonProps = { name: SignName; isOn?: boolean; isOff: boolean; onClick(): void };

function ActButton({ name, isOn, isOff, onClick }: ButtonProps) {
  const key = keys[name];
  const label = t.acts[name];
  return (
    <ToolbarItem
      className="visual-act"
      aria-label={label}
      aria-pressed={isOn}
      title={key === undefined ? label : `${label} (${showKeys(key)})`}
      disabled={isOff}
      accessibleWhenDisabled
      // The text keeps its selection.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      <Sign name={name} />
    </ToolbarItem>
  );
}
