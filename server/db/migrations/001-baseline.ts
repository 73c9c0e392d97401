import { CompiledQuery, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { type EngineTexts, word } from "../engine-words.ts";
import { catalogTables } from "./baseline/catalog.ts";
import { figuresTables } from "./baseline/figures.ts";
import { messagesTables } from "./baseline/messages.ts";
import { moneyTables } from "./baseline/money.ts";
import { operationsTables } from "./baseline/operations.ts";
import { purchasesTables } from "./baseline/purchases.ts";
import { sellingTables } from "./baseline/selling.ts";
import { shopTables } from "./baseline/shop.ts";
import { splitStatements, toBaselineWords } from "./baseline/words.ts";

/**
 * The whole schema, for both engines, in files by module. Until the first release the schema is changed here, and no
 * migration is added: databases of a version before are exported with that version and imported with this one.
 * From the first release on this migration is frozen.
 */
export const migration001: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    let statements: readonly string[] = [];
    // The compiler of the connection knows which engine it is.
    word((texts) => {
      statements = listStatements(texts);
      return "";
    }).compile(db);
    for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement));
  },
};

/** In the order of their references. */
const PARTS = [
  shopTables,
  moneyTables,
  catalogTables,
  purchasesTables,
  sellingTables,
  figuresTables,
  messagesTables,
  operationsTables,
];

function listStatements(texts: EngineTexts): string[] {
  const words = toBaselineWords(texts);
  return [...texts.schema.prelude, ...PARTS.flatMap((part) => splitStatements(part(words)))];
}
