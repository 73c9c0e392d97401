/** Returns whether a key is P, which prints, or the key in P's position on a layout without P. */
export function isPrintKey({
  key,
  code,
}: {
  readonly key: string;
  readonly code: string;
}): boolean {
  return key.toLowerCase() === "p" || (code === "KeyP" && !/^\p{Script=Latin}$/u.test(key));
}
