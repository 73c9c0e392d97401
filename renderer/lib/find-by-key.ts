/**
 * Finds the person that a key selects: 1 to 9 by position, a letter by the first letter of the
 * name. A repeated letter selects the next person whose name starts with it.
 */
export function findByKey<Person extends { readonly staffId: string; readonly name: string }>(
  people: readonly Person[],
  key: string,
  chosen: string | undefined,
): Person | undefined {
  if (/^[1-9]$/.test(key)) {
    return people[Number(key) - 1];
  }
  if ([...key].length !== 1 || !/\p{L}/u.test(key)) {
    return undefined;
  }
  const fitting = people.filter(({ name }) => initial(name) === initial(key));
  const at = fitting.findIndex(({ staffId }) => staffId === chosen);
  return fitting[(at + 1) % fitting.length];
}

/** Returns the first letter without case or accents: "a" finds "Á". */
function initial(text: string): string {
  const [first = ""] = text.trim().normalize("NFD");
  return first.toLocaleLowerCase();
}
