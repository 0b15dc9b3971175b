/** What `passing` of the journal says of a refusal that may be different a moment later; 0: it is another answer. */
export const PASSING = 1;
/** Its attempt is over by its script: it is kept for the replay alone. */
export const PASSED = 2;
/** Its script has gone on to a wait, after which it goes the same way: it gets the refusal again. */
export const WAITED_SINCE = 3;
