const TARGET =
  /\b(?:insert(?: or \w+)? into|replace into|update(?: or \w+)?|delete from) +"?(\w+)/i;

/** Returns the table that a statement writes to; undefined if its text names none. */
export function findWrittenTable(statement: string): string | undefined {
  return TARGET.exec(statement)?.[1];
}
