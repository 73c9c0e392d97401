/**
 * Returns the smallest table with the same results by longest-prefix match. Joins ten prefixes that
 * differ only in the last digit and have one result. Removes a prefix whose next shorter prefix has
 * the same result.
 */
export function collapse<Answer>(table: ReadonlyMap<string, Answer>): Map<string, Answer> {
  const compact = new Map(table);
  const longest = Math.max(...[...table.keys()].map((prefix) => prefix.length));
  for (let length = longest; length > 1; length -= 1) {
    const parents = new Set<string>();
    for (const prefix of compact.keys()) {
      if (prefix.length === length) parents.add(prefix.slice(0, -1));
    }
    for (const parent of parents) mergeSiblings(compact, parent);
  }
  for (const prefix of [...compact.keys()].sort((a, b) => b.length - a.length)) {
    if (lookUp(compact, prefix.slice(0, -1)) === compact.get(prefix)) compact.delete(prefix);
  }
  return compact;
}

export function lookUp<Answer>(
  table: ReadonlyMap<string, Answer>,
  digits: string,
): Answer | undefined {
  for (let length = digits.length; length > 0; length -= 1) {
    const answer = table.get(digits.slice(0, length));
    if (answer !== undefined) return answer;
  }
  return undefined;
}

function mergeSiblings<Answer>(table: Map<string, Answer>, parent: string): void {
  const answer = table.get(`${parent}0`);
  if (answer === undefined) return;
  for (let digit = 1; digit <= 9; digit += 1) {
    if (table.get(`${parent}${digit}`) !== answer) return;
  }
  for (let digit = 0; digit <= 9; digit += 1) table.delete(`${parent}${digit}`);
  table.set(parent, answer);
}
