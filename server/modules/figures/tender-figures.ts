import type { FigureTender } from "../../contract/pos/figures.ts";
import type { ShopTender } from "../../contract/pos/shop-tenders.ts";
import { TENDER_KINDS } from "../../contract/pos/tenders.ts";
import type { Db, Tx } from "../../db/database.ts";
import { type FigureScope, type Span, sumTenders } from "./figure-sums-store.ts";

type KindSums = Readonly<Record<"cash" | "card" | "other", number>>;

/**
 * What was taken and handed back by each tender of the shop. Sums are kept of those that the owner added:
 * the first of a kind has what they leave of it (rules#figure-tenders).
 * @param sums of all tenders of a kind
 */
export async function readTenderFigures(
  db: Db | Tx,
  scope: FigureScope,
  span: Span,
  { tenders, ...sums }: { tenders: readonly ShopTender[]; taken: KindSums; refunded: KindSums },
): Promise<FigureTender[]> {
  const added = tenders.filter(({ tenderId }) => !TENDER_KINDS.some((kind) => kind === tenderId));
  const found = await sumTenders(
    db,
    scope,
    span,
    added.map(({ tenderId }) => tenderId),
  );
  const rowOf = ({ kind, tenderId, name }: ShopTender, taken: number, refunded: number) => ({
    kind,
    tenderId,
    ...(name !== undefined && { name }),
    taken,
    refunded,
  });
  const rows = tenders.map((tender) => {
    const own = found.get(tender.tenderId);
    if (added.includes(tender)) return rowOf(tender, own?.taken ?? 0, own?.taken_back ?? 0);
    const { kind } = tender;
    const others = added.filter((one) => one.kind === kind).map((one) => found.get(one.tenderId));
    const rest = (all: number, part: "taken" | "taken_back") =>
      others.reduce((left, one) => left - (one?.[part] ?? 0), all);
    const column = COLUMNS[kind];
    return rowOf(
      tender,
      rest(sums.taken[column], "taken"),
      rest(sums.refunded[column], "taken_back"),
    );
  });
  return rows.filter(({ taken, refunded }) => taken !== 0 || refunded !== 0);
}

const COLUMNS = { CASH: "cash", CARD: "card", OTHER: "other" } as const;
