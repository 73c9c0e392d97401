import type { ZReport } from "../../../../contract/pos/shifts.ts";
import type { Scope } from "../../../../db/changes.ts";
import type { Db } from "../../../../db/database.ts";
import type { Logo } from "../../../../lib/pdf/logo.ts";
import { listOpenShifts, readZReportsClosed } from "../../../selling/shifts/index.ts";
import { findLogoPicture, findShop, type Shop } from "../../../shop/shop/index.ts";
import { staffNames } from "../../../shop/staff/index.ts";
import { type DayFigures, readDayFigures } from "../../figures/index.ts";

export interface DaySource {
  shop: Shop;
  figures: DayFigures;
  ended: ZReport[];
  /** Open shifts that started before the end of the day. */
  stillOpen: { name: string; openedAt: number }[];
  logo: Logo | undefined;
}

interface DayRequest {
  scope: Scope;
  day: string;
  now: number;
  brandNames: ReadonlyMap<string, { brandName: string }>;
}

/** @throws UnsoundSums for damaged sums, which only a thread with write access can recount */
export async function readDaySource(
  snapshot: Db,
  { scope, day, now, brandNames }: DayRequest,
): Promise<DaySource> {
  const { accountId } = scope;
  const shop = await findShop(snapshot, accountId);
  if (!shop) throw new Error(`account ${accountId} has no shop`);
  const figures = await readDayFigures({ snapshot, shop, now, brandNames }, scope, day);
  const { from, until } = figures.money.period;
  const span = { from: Date.parse(from), until: Date.parse(until) };
  const open = (await listOpenShifts(snapshot, scope)).filter(
    ({ opened_at }) => opened_at < span.until,
  );
  const names = await staffNames(
    snapshot,
    accountId,
    open.map(({ staff_id }) => staff_id),
  );
  return {
    shop,
    figures,
    ended: await readZReportsClosed(snapshot, scope, span),
    stillOpen: open.map(({ staff_id, opened_at }) => ({
      name: names.get(staff_id) ?? "",
      openedAt: opened_at,
    })),
    logo: await findLogoPicture(snapshot, accountId),
  };
}
