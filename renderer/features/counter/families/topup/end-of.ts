/** The first or the last of what is shown. */
export function endOf<Item>(items: readonly Item[], end: "first" | "last"): Item | undefined {
  return end === "first" ? items[0] : items.at(-1);
}
