import type { Actor } from "../../contract/pos/actor.ts";
import type { Tx } from "../../db/database.ts";
import { recordAudit } from "../audit-trail/index.ts";
import { factsOfLines, type PreparedLine } from "./sale-facts.ts";

interface DiscountsGiven {
  saleId: string;
  lines: readonly PreparedLine[];
  unit: { currency: string; currencyDivisor: number };
  belowCost: ReadonlySet<string>;
  at: number;
}

/** Who gave a discount is on record, and on how many lines it went below their cost. */
export async function recordDiscount(
  tx: Tx,
  { accountId, environment, staffId }: Actor,
  { saleId: subject, lines, unit, belowCost, at }: DiscountsGiven,
): Promise<void> {
  const discounted = lines.filter(({ sold }) => sold.discount > 0);
  if (discounted.length === 0) return;
  const below = belowCost.size > 0 ? { linesBelowCost: belowCost.size } : {};
  const detail = { ...factsOfLines(discounted), ...unit, ...below, environment };
  await recordAudit(tx, { accountId, staffId, action: "sale.discount", subject, detail, at });
}
