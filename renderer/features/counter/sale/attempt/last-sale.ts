import { type DayClock, startOfDay } from "../../../../../server/contract/pos/shop-day.ts";
import { readList } from "../../../../lib/browser-storage.ts";
import { isAt } from "./attempt-store.ts";
import type { TillPlace } from "./till.ts";

interface LastSale extends TillPlace {
  readonly saleId: string;
  readonly paidAt: number;
}

const STORAGE_KEY = "tillgate.last-sales";
/** Time for which a sale is shown after a reload. After this time the customer has left. */
const SHOWN_FOR_MS = 15 * 60_000;

/** Replaces the person's previous sale. */
export function rememberSale(sale: LastSale): void {
  const others = listSales().filter(({ staffId }) => staffId !== sale.staffId);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify([...others, sale]));
  } catch {
    // Without storage, a reload hides the sale. The sale itself is not affected.
  }
}

/** Finds the person's last sale, if it is recent and from today. */
export function findRecentSale(
  { day, ...place }: TillPlace & { readonly day: DayClock },
  now: number,
): Pick<LastSale, "saleId" | "paidAt"> | undefined {
  return listSales().find(
    (sale) =>
      isAt(place, sale) && now - sale.paidAt < SHOWN_FOR_MS && sale.paidAt >= startOfDay(now, day),
  );
}

/** Returns the time of the payment; undefined unless the sale is its seller's last sale. */
export function paidAtOf(saleId: string): number | undefined {
  return listSales().find((sale) => sale.saleId === saleId)?.paidAt;
}

function listSales(): LastSale[] {
  return readList<LastSale>(STORAGE_KEY, "saleId", "paidAt");
}
