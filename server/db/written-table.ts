const TARGET =
  /\b(?:insert(?: or \w+)? into|replace into|update(?: or \w+)?|delete from) +"?(\w+)/i;

/** The table that a statement writes to; undefined where its words name none. */
export function findWrittenTable(statement: string): string | undefined {
  return TARGET.exec(statement)?.[1];
}
