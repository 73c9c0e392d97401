/** Stands in bundles in the place of what is never called there. */
export function glob(): never {
  throw new Error("this part of a library was left out of the bundle");
}
