/** The bounds of a task's state, for the server and the guest code. This file imports nothing, so that the guest code can use its values. */

/** `.` and `..` are no keys, because URL parsers would treat them as dot segments of the path. */
export const STATE_KEY = /^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,200}$/;
export const STATE_KEY_RULE = 'must be 1 to 200 letters, digits and the characters . _ : - (but not . or ..)';
/** The most bytes that a value may have as JSON. */
export const STATE_VALUE_MAX_BYTES = 64 * 1024;
/** The most keys that a task may have. */
export const STATE_KEYS_MAX = 1000;
