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
 * The schema for both engines, one file per module. This migration is frozen, although no version
 * was released: shops already run on it. Each later change is a new migration.
 */
export const migration001: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    let statements: readonly string[] = [];
    // The connection's compiler calls this function with the texts of its engine.
    word((texts) => {
      statements = listStatements(texts);
      return "";
    }).compile(db);
    for (const statement of statements) await db.executeQuery(CompiledQuery.raw(statement));
  },
};

/** Each table precedes the tables that refer to it. */
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
