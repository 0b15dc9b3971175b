/** The kind of an object by its tag, such as `Map`. */
export function kindOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}
