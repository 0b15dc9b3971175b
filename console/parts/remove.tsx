import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { text } from '../texts/app.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';

type Props = {
  /** What is deleted, by its name: the question is "Delete Anna Kovács?". */
  name: string;
  act?: string;
  /** The name of the button, where others that are called alike stand beside it. */
  label?: string | undefined;
  title?: string;
  /** The words of the way back, where "Cancel" would be mistaken for the act. */
  back?: string;
  kind?: 'danger' | 'quiet';
  /** What is lost, and what stays. */
  children?: ReactNode;
  run(): Promise<unknown>;
  onDone?(): unknown;
};

/** An act that cannot be undone, asked for once more. A refusal, such as 409 `in_use`, is told in the question. */
export function Remove({ name, act = text.remove.act, title = text.remove.title(name), kind = 'danger', ...props }: Props) {
  const { label = act === text.remove.act ? text.remove.named(name) : undefined, back, children, run, onDone } = props;
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: run,
    onSuccess: async () => {
      setAsking(false);
      await onDone?.();
    },
  });
  function ask(): void {
    remove.reset();
    setAsking(true);
  }
  return (
    <>
      <Button kind={kind} aria-label={label} onClick={ask}>
        {act}
      </Button>
      {isAsking ? (
        <Confirm
          title={title}
          // The dots say that it asks first; here it does not any more.
          act={act.replace(/\s?…$/, '')}
          {...(back === undefined ? {} : { back })}
          isDanger
          isBusy={remove.isPending}
          error={remove.error}
          onAct={() => remove.mutate()}
          close={() => setAsking(false)}
        >
          {children}
        </Confirm>
      ) : null}
    </>
  );
}
