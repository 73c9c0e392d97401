import { useNavigate } from "@tanstack/react-router";
import type { Sale } from "../../server/contract/pos/sales.ts";
import { newId } from "../lib/new-id.ts";
import { useFormat } from "../lib/use-format.ts";

/** Shows a sale of any day in Today. */
export function useSaleOpener(): (sale: Pick<Sale, "saleId" | "saleNumber" | "createdAt">) => void {
  const navigate = useNavigate();
  const format = useFormat();
  return ({ saleId, saleNumber, createdAt }) =>
    void navigate({
      to: "/today",
      // The list has today's sales; an older one is shown beside it.
      search: {
        sale: saleId,
        ...(Date.parse(createdAt) >= format.startOfDay(Date.now()) && {
          find: String(saleNumber),
        }),
      },
      state: { visit: newId() },
    });
}
