import { useNavigate } from "@tanstack/react-router";
import type { Sale } from "../../server/contract/pos/sales.ts";
import { newId } from "../lib/new-id.ts";
import { useFormat } from "../lib/use-format.ts";

export function useSaleOpener(): (sale: Pick<Sale, "saleId" | "saleNumber" | "createdAt">) => void {
  const navigate = useNavigate();
  const format = useFormat();
  return ({ saleId, saleNumber, createdAt }) =>
    void navigate({
      to: "/today",
      // Today's list contains only today's sales; an older sale is shown beside the list.
      search: {
        sale: saleId,
        ...(Date.parse(createdAt) >= format.startOfDay(Date.now()) && {
          find: String(saleNumber),
        }),
      },
      state: { visit: newId() },
    });
}
