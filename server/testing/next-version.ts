import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROGRAM_DIR } from "../program.ts";
import { VERSION } from "../version.ts";

export const NEXT_VERSION = "999.0.0";
export const NEXT_MIGRATION = "999-next";

/**
 * A migration that a later version may run while processes of this version still run
 * (rules#backup-readable-before).
 */
const MIGRATION = `
import { sql } from "kysely";
import { tableEnd, whole } from "../migration-words.ts";

export const next = {
  async up(db) {
    await sql\`alter table transactions add column next_weight \${whole} not null default 0\`.execute(db);
    await sql\`create index transactions_next on transactions (account_id, environment, next_weight)\`.execute(db);
    await sql\`alter table sales add column next_note text\`.execute(db);
    await sql\`update sales set next_note = 'from before'\`.execute(db);
    await sql\`create index sales_next on sales (account_id, environment, next_note)\`.execute(db);
    await sql\`alter table jobs add column next_share \${whole} not null default 1\`.execute(db);
    await sql\`create table next_notes (
      account_id text not null primary key references accounts, note text not null
    ) \${tableEnd}\`.execute(db);
    await sql\`insert into next_notes (account_id, note) select account_id, 'new' from accounts\`.execute(db);
  },
};
`;

const LEFT_OUT = /\.test\.ts$|\/server\/(?:testing|attack)$/;

/**
 * Builds the program of a next version, with a higher version number and one more migration.
 * @param dir empty folder for the program
 */
export function makeNextVersion(dir: string): void {
  const from = (name: string) => join(PROGRAM_DIR, name);
  const to = (name: string) => join(dir, name);
  cpSync(from("server"), to("server"), {
    recursive: true,
    filter: (source) => !LEFT_OUT.test(source),
  });
  for (const name of ["resources", "node_modules"]) symlinkSync(from(name), to(name));
  cpSync(from("package.json"), to("package.json"));
  for (const name of ["package.json", "server/version.ts"]) {
    change(to(name), `"${VERSION}"`, `"${NEXT_VERSION}"`);
  }
  writeFileSync(to(`server/db/migrations/${NEXT_MIGRATION}.ts`), MIGRATION);
  const head = "export const migrations: Record<string, Migration> = {";
  change(
    to("server/db/migrations/index.ts"),
    head,
    `import { next } from "./${NEXT_MIGRATION}.ts";\n${head}\n  "${NEXT_MIGRATION}": next,`,
  );
}

function change(file: string, before: string, after: string): void {
  const text = readFileSync(file, "utf8");
  if (!text.includes(before)) throw new Error(`${file} does not say ${before}`);
  writeFileSync(file, text.replace(before, after));
}
