/** Returns whether a key is P, which prints; on a layout without it, the key in its place. */
export function isPrintKey({
  key,
  code,
}: {
  readonly key: string;
  readonly code: string;
}): boolean {
  return key.toLowerCase() === "p" || (code === "KeyP" && !/^\p{Script=Latin}$/u.test(key));
}
