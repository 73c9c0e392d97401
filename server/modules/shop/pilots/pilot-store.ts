import { sql } from "kysely";
import type { PilotState } from "../../../contract/pos/pilot.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { DAY } from "../../../lib/clock.ts";

/** A pilot is over after so many sales of which every line was delivered. */
export const GOOD_SALES_NEEDED = 20;
/** Programs that bought within so long sell already. */
const BOUGHT_LATELY_MS = 30 * DAY;

/** What a sale and a day may come to at most, minor units of the shop's currency. */
export interface PilotCaps {
  mostPerSale: number;
  mostPerDay: number;
}

/** The first live sales of a shop: on one till and within caps. */
export interface Pilot extends PilotCaps {
  /** The till that may sell: the digest of its cookie; undefined until the first one sells. */
  device: string | undefined;
  /** What that till is called, where it has sold before. */
  tillName: string | undefined;
  /** Who was at it when it was chosen. */
  chosenBy: string | undefined;
  coversApi: boolean;
  startedAt: number;
}

/** The pilot that a shop is in; one that had enough good sales is ended by the next sale. */
export async function findPilot(db: Db | Tx, accountId: string): Promise<Pilot | undefined> {
  const row = await db
    .selectFrom("pilots as p")
    .innerJoin("shops as s", "s.account_id", "p.account_id")
    .leftJoin("tills as t", (join) =>
      join.onRef("t.account_id", "=", "p.account_id").onRef("t.device_hash", "=", "p.device_hash"),
    )
    .leftJoin("staff as who", (join) =>
      join.onRef("who.account_id", "=", "p.account_id").onRef("who.staff_id", "=", "p.chosen_by"),
    )
    .selectAll("p")
    .select(["t.name as till_name", "who.name as chooser"])
    .where("p.account_id", "=", accountId)
    .where("p.ended_at", "is", null)
    .where("s.till_environment", "=", "live")
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    device: row.device_hash ?? undefined,
    tillName: row.till_name ?? undefined,
    chosenBy: row.chooser ?? undefined,
    mostPerSale: row.most_per_sale,
    mostPerDay: row.most_per_day,
    coversApi: row.covers_api === 1,
    startedAt: row.started_at,
  };
}

/** Sales of the till since then of which every line was delivered; no more are counted than matter. */
export async function countGoodSales(
  db: Db | Tx,
  accountId: string,
  since: number,
): Promise<number> {
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

/** What customers pay for what was bought live since, at the till or by programs, but what failed. */
export async function sumSoldSince(tx: Tx, scope: Scope, since: number): Promise<number> {
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
 * Begins a pilot anew, whatever there was before. Programs that bought live lately, which an owner's
 * first sale is not, go on as they did.
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
    /** The transaction of the owner's first sale. */
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
  const fresh = {
    device_hash: device ?? null,
    chosen_by: chosenBy ?? null,
    most_per_sale: caps.mostPerSale,
    most_per_day: caps.mostPerDay,
    covers_api: bought === undefined ? 1 : 0,
    started_at: at,
    ended_at: null,
  };
  await tx
    .insertInto("pilots")
    .values({ account_id: accountId, ...fresh })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(fresh))
    .execute();
}

/** Another till sells from now on. */
export async function movePilot(
  tx: Tx,
  accountId: string,
  to: { device: string | undefined; chosenBy: string | undefined },
): Promise<void> {
  await tx
    .updateTable("pilots")
    .set({ device_hash: to.device ?? null, chosen_by: to.chosenBy ?? null })
    .where("account_id", "=", accountId)
    .execute();
}

/** Every till sells from now on, without caps. Does nothing where there is no pilot. */
export async function endPilot(tx: Tx, accountId: string, at: number): Promise<void> {
  await tx
    .updateTable("pilots")
    .set({ ended_at: at })
    .where("account_id", "=", accountId)
    .where("ended_at", "is", null)
    .execute();
}

/**
 * The pilot that a shop is in, as a till may show it.
 * @param device the digest of the cookie of the till that asks
 */
export async function readPilotState(
  db: Db,
  accountId: string,
  device: string | undefined,
): Promise<PilotState | undefined> {
  const pilot = await findPilot(db, accountId);
  if (!pilot) return undefined;
  const goodSales = await countGoodSales(db, accountId, pilot.startedAt);
  if (goodSales >= GOOD_SALES_NEEDED) return undefined;
  return {
    mostPerSale: pilot.mostPerSale,
    mostPerDay: pilot.mostPerDay,
    goodSales,
    needed: GOOD_SALES_NEEDED,
    isHere: pilot.device === undefined || pilot.device === device,
    till: pilot.tillName ?? "",
    chosenBy: pilot.chosenBy ?? "",
  };
}
