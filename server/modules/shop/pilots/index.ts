import { sql } from "kysely";
import { type Static, Type } from "typebox";
import type { PilotState } from "../../../contract/pos/setup.ts";
import { startOfDay } from "../../../contract/pos/shop-day.ts";
import { Problem } from "../../../contract/problem.ts";
import { recordChange, type Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { accountSetting, deleteSetting, readSetting, writeSetting } from "../../../db/settings.ts";
import { DAY } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { readDayClock } from "../settings/index.ts";
import type { SoldFrom } from "../tills/index.ts";

const GOOD_SALES_NEEDED = 20;
/** The pilot does not limit programs that bought within this time. */
const BOUGHT_LATELY_MS = 30 * DAY;

/** Maximum amounts in minor units of the shop's currency. */
export interface PilotCaps {
  mostPerSale: number;
  mostPerDay: number;
}

/** The first live sales of a shop, limited to a single till and to caps. */
const PILOT = accountSetting(
  "pilot",
  Type.Object({
    /** Digest of the till's cookie; absent until the first sale. */
    device: Type.Optional(Type.String()),
    /** The signed-in person at the choice of the till; absent for the command line. */
    chosenBy: Type.Optional(Type.String()),
    mostPerSale: Type.Integer(),
    mostPerDay: Type.Integer(),
    /**
     * Whether the limits also apply to purchases through the API, because the API had no live
     * purchases before the pilot.
     */
    coversApi: Type.Boolean(),
    startedAt: Type.Integer(),
  }),
);
type Pilot = Static<typeof PILOT.schema>;

/** Finds the running pilot. A pilot with enough good sales runs until the next sale ends it. */
async function findPilot(db: Db | Tx, accountId: string): Promise<Pilot | undefined> {
  const pilot = await readSetting(db, accountId, PILOT);
  if (!pilot) return undefined;
  const shop = await db
    .selectFrom("shops")
    .select("till_environment")
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return shop?.till_environment === "live" ? pilot : undefined;
}

/** Returns the names of the pilot's till and of the person who chose it. */
async function readNames(db: Db | Tx, accountId: string, { device, chosenBy }: Pilot) {
  const till = await db
    .selectFrom("tills")
    .select("name")
    .where("account_id", "=", accountId)
    .where("device_hash", "=", device ?? "")
    .executeTakeFirst();
  const chooser = await db
    .selectFrom("staff")
    .select("name")
    .where("account_id", "=", accountId)
    .where("staff_id", "=", chosenBy ?? "")
    .executeTakeFirst();
  return { till: till?.name, chooser: chooser?.name };
}

async function countGoodSales(db: Db | Tx, accountId: string, since: number): Promise<number> {
  const rows = await db
    .selectFrom("sales as s")
    .innerJoin("sale_lines as l", inSameScope("l", "s", "sale_id"))
    .innerJoin("transactions as t", inSameScope("t", "l", "transaction_id"))
    .select("s.sale_id")
    .where(inScope({ accountId, environment: "live" }, "s"))
    .where("s.training", "=", 0)
    .where("s.created_at", ">=", since)
    .groupBy("s.sale_id")
    .having((eb) => eb(eb.fn.min("t.status"), "=", "DONE"))
    .having((eb) => eb(eb.fn.max("t.status"), "=", "DONE"))
    .limit(GOOD_SALES_NEEDED)
    .execute();
  return rows.length;
}

/** Sums live purchases of the till and of programs since a time. Excludes failed purchases. */
async function sumSoldSince(tx: Tx, scope: Scope, since: number): Promise<number> {
  const { amount } = await tx
    .selectFrom("transactions as t")
    .innerJoin("purchases as p", inSameScope("p", "t", "transaction_id"))
    .leftJoin("sale_lines as l", inSameScope("l", "t", "transaction_id"))
    .select(
      sql<number | null>`sum(coalesce(l.price - l.discount, p.price_base + p.price_fee))`.as(
        "amount",
      ),
    )
    .where(inScope(scope, "t"))
    .where("t.type", "=", "DEBIT")
    .where("t.training", "=", 0)
    .where("t.status", "!=", "FAILED")
    .where("t.created_at", ">=", since)
    .executeTakeFirstOrThrow();
  return amount ?? 0;
}

/**
 * Starts a pilot, and replaces an earlier one. The pilot does not limit programs if a program has
 * recently bought live, not counting the owner's first live sale.
 */
export async function startPilot(
  tx: Tx,
  accountId: string,
  {
    device,
    chosenBy,
    firstSale,
    at,
    ...caps
  }: PilotCaps & {
    device: string | undefined;
    chosenBy: string | undefined;
    firstSale: string | undefined;
    at: number;
  },
): Promise<void> {
  const bought = await tx
    .selectFrom("purchases as p")
    .innerJoin("transactions as t", inSameScope("t", "p", "transaction_id"))
    .leftJoin("sale_lines as l", inSameScope("l", "p", "transaction_id"))
    .select("p.transaction_id")
    .where(inScope({ accountId, environment: "live" }, "t"))
    .where("t.created_at", ">=", at - BOUGHT_LATELY_MS)
    .where("l.transaction_id", "is", null)
    .where("t.transaction_id", "!=", firstSale ?? "")
    .limit(1)
    .executeTakeFirst();
  const { mostPerSale, mostPerDay } = caps;
  await writeSetting(tx, accountId, PILOT, {
    ...toChoice({ device, chosenBy }),
    mostPerSale,
    mostPerDay,
    coversApi: bought === undefined,
    startedAt: at,
  });
}

interface TillChoice {
  device: string | undefined;
  chosenBy: string | undefined;
}

function toChoice({ device, chosenBy }: TillChoice): Pick<Pilot, "device" | "chosenBy"> {
  return { ...(device !== undefined && { device }), ...(chosenBy !== undefined && { chosenBy }) };
}

export async function movePilot(tx: Tx, accountId: string, to: TillChoice): Promise<void> {
  const pilot = await readSetting(tx, accountId, PILOT);
  if (!pilot) return;
  const { device: _, chosenBy: __, ...same } = pilot;
  await writeSetting(tx, accountId, PILOT, { ...same, ...toChoice(to) });
}

/** Ends the pilot, so that every till sells without limits. */
export async function endPilot(tx: Tx, accountId: string): Promise<void> {
  await deleteSetting(tx, accountId, PILOT);
}

/** @param device digest of the till's cookie */
export async function readPilotState(
  db: Db,
  accountId: string,
  device: string | undefined,
): Promise<PilotState | undefined> {
  const pilot = await findPilot(db, accountId);
  if (!pilot) return undefined;
  const goodSales = await countGoodSales(db, accountId, pilot.startedAt);
  if (goodSales >= GOOD_SALES_NEEDED) return undefined;
  const { till = "", chooser = "" } = await readNames(db, accountId, pilot);
  return {
    mostPerSale: pilot.mostPerSale,
    mostPerDay: pilot.mostPerDay,
    goodSales,
    needed: GOOD_SALES_NEEDED,
    isHere: pilot.device === undefined || pilot.device === device,
    till,
    chosenBy: chooser,
  };
}

/** Properties of a sale on which the pilot's limits depend. */
interface PilotedSale {
  /** Amount to pay, in minor units of the shop's currency. */
  paid: number;
  unit: { currency: string; currencyDivisor: number };
  from: SoldFrom | "API" | undefined;
  at: number;
}

/**
 * Enforces the pilot's till and caps (rules#live-pilot). Runs in the sale's transaction, so that
 * simultaneous sales cannot together exceed a cap.
 * @throws Problem PILOT_LIMIT. For another till, its fields are `till` and `chosenBy`. Above a cap,
 * they are `perDay` (the remaining amount of today) and, if the sale exceeds the cap per sale,
 * `perSale`; both in minor units of `currency`
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
  const since = Math.max(startOfDay(at, await readDayClock(tx, accountId)), pilot.startedAt);
  const sold = await sumSoldSince(tx, { accountId, environment }, since);
  const left = Math.max(0, pilot.mostPerDay - sold);
  const rest = `${left} ${unit.currency} minor units are left today.`;
  if (paid > pilot.mostPerSale) {
    throw limited(`a sale is limited to ${pilot.mostPerSale}, and ${rest}`, {
      perSale: String(pilot.mostPerSale),
      perDay: String(left),
      ...figures,
    });
  }
  if (paid > left) throw limited(rest, { perDay: String(left), ...figures });
}

/**
 * Requires the pilot's till. If no till was chosen, chooses the selling till.
 * @throws Problem PILOT_LIMIT
 */
async function requireTill(
  tx: Tx,
  accountId: string,
  pilot: Pilot,
  from: SoldFrom | undefined,
): Promise<void> {
  const here = from === "FILE" ? undefined : from?.device;
  if (here !== undefined && here === pilot.device) return;
  if (here !== undefined && pilot.device === undefined) {
    await movePilot(tx, accountId, { device: here, chosenBy: undefined });
    return;
  }
  const { till, chooser } = await readNames(tx, accountId, pilot);
  const which = till ?? (chooser === undefined ? "one till" : `the till of ${chooser}`);
  const advice = "Sell there, or ask the owner to choose this till or to end the trial.";
  throw limited(`only ${which} sells. ${advice}`, {
    till: till ?? "",
    chosenBy: chooser ?? "",
  });
}

function limited(rule: string, fields: Record<string, string>): Problem {
  const message = `The shop is in its live pilot: ${rule} Nothing was sold and nothing was charged.`;
  return new Problem("PILOT_LIMIT", message, fields);
}

async function recordEnd(tx: Tx, accountId: string, at: number): Promise<void> {
  await endPilot(tx, accountId);
  const detail = { pilot: "ended", goodSales: GOOD_SALES_NEEDED };
  const entry = { accountId, staffId: undefined, subject: accountId, detail, at };
  await recordAudit(tx, { ...entry, action: "till.pilot" });
  const scope = { accountId, environment: "live" } as const;
  await recordChange(tx, scope, { topic: "shop", subject: accountId, at });
}
