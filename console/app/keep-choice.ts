import { keptChoice } from '../ui/choice.ts';

/** Whether this browser stays signed in. A link by mail is opened in another tab than the one that asked for it. */
export const keepChoice = keptChoice('backroom.keep');

export const isKept = (): boolean => keepChoice.get() === 'yes';
