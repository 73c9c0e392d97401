const TARGET =
  /\b(?:insert(?: or \w+)? into|replace into|update(?: or \w+)?|delete from) +"?(\w+)/i;

/** Returns the table to which a statement writes; undefined if it only reads. */
export function findWrittenTable(statement: string): string | undefined {
  return TARGET.exec(statement)?.[1];
}
