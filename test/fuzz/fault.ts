/** What is wrong with an answer. */
export class Fault extends Error {}
