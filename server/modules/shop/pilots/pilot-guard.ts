import { startOfDay } from "../../../contract/pos/shop-day.ts";
import { Problem } from "../../../contract/problem.ts";
import { recordChange, type Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { readDayClock } from "../settings/index.ts";
import type { SoldFrom } from "../tills/index.ts";
import {
  countGoodSales,
  endPilot,
  findPilot,
  GOOD_SALES_NEEDED,
  movePilot,
  type Pilot,
  sumSoldSince,
} from "./pilot-store.ts";

/** A sale as far as a pilot looks at it. */
interface PilotedSale {
  /** What is paid for it, minor units of the shop's currency. */
  paid: number;
  unit: { currency: string; currencyDivisor: number };
  /** Where it is made; a program of `/v1` has no till. */
  from: SoldFrom | "API" | undefined;
  at: number;
}

/**
 * While a shop is in its pilot, one till sells, and no more than its caps; checked in the transaction
 * that sells, so that sales at once cannot pass a cap together (rules#live-pilot).
 * @throws Problem PILOT_LIMIT with the field `till`, `perSale` or `perDay`
 */
export async function requirePilot(
  tx: Tx,
  { accountId, environment, training }: Scope & { training: boolean },
  sale: PilotedSale,
): Promise<void> {
  if (training || environment !== "live") return;
  const pilot = await findPilot(tx, accountId);
  if (!pilot) return;
  const { at, paid, unit } = sale;
  if ((await countGoodSales(tx, accountId, pilot.startedAt)) >= GOOD_SALES_NEEDED) {
    await recordEnd(tx, accountId, at);
    return;
  }
  if (sale.from === "API") {
    if (!pilot.coversApi) return;
  } else {
    await requireTill(tx, accountId, pilot, sale.from);
  }
  const figures = {
    currency: unit.currency,
    currencyDivisor: String(unit.currencyDivisor),
  };
  if (paid > pilot.mostPerSale) {
    throw limited(`a sale comes to ${pilot.mostPerSale} at most in ${unit.currency}.`, {
      perSale: String(pilot.mostPerSale),
      ...figures,
    });
  }
  const since = Math.max(startOfDay(at, await readDayClock(tx, accountId)), pilot.startedAt);
  const sold = await sumSoldSince(tx, { accountId, environment }, since);
  const left = Math.max(0, pilot.mostPerDay - sold);
  if (paid > left) {
    throw limited(`today's sales may still come to ${left} in ${unit.currency}.`, {
      perDay: String(left),
      ...figures,
    });
  }
}

/** The first till that sells is the pilot's where none was chosen. @throws Problem PILOT_LIMIT */
async function requireTill(
  tx: Tx,
  accountId: string,
  { device, tillName, chosenBy }: Pilot,
  from: SoldFrom | undefined,
): Promise<void> {
  const here = from === "FILE" ? undefined : from?.device;
  if (here !== undefined && here === device) return;
  if (here !== undefined && device === undefined) {
    await movePilot(tx, accountId, { device: here, chosenBy: undefined });
    return;
  }
  const which = tillName ?? (chosenBy === undefined ? "one till" : `the till of ${chosenBy}`);
  const advice = "Sell there, or ask the owner to choose this till or to end the trial.";
  throw limited(`only ${which} sells. ${advice}`, {
    till: tillName ?? "",
    chosenBy: chosenBy ?? "",
  });
}

function limited(rule: string, fields: Record<string, string>): Problem {
  const message = `Live is tried out: ${rule} Nothing was sold and nothing was charged.`;
  return new Problem("PILOT_LIMIT", message, fields);
}

async function recordEnd(tx: Tx, accountId: string, at: number): Promise<void> {
  await endPilot(tx, accountId, at);
  const detail = { pilot: "ended", goodSales: GOOD_SALES_NEEDED };
  const entry = { accountId, staffId: undefined, subject: accountId, detail, at };
  await recordAudit(tx, { ...entry, action: "till.pilot" });
  const scope = { accountId, environment: "live" } as const;
  await recordChange(tx, scope, { topic: "shop", subject: accountId, at });
}
