import { type FormEvent, useState } from 'react';

/** A field of the form is empty. */
export const MISSING = 'missing';

/** How a form of the sign-in is sent. What `act` throws, or returns as wrong with a field, is the failure until the next try. */
export function useSubmit(act: () => Promise<typeof MISSING | undefined>) {
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  async function send(): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      setFailure((await act()) ?? null);
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void send();
  };
  return { failure, isBusy, submit, forget: (): void => setFailure(null) };
}
