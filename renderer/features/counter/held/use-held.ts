import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { HeldSale } from "../../../../server/contract/pos/held-sales.ts";
import { newId } from "../../../lib/new-id.ts";
import { heldSalesQuery, postHeldSale, postResume } from "../api/held-queries.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import { recipientOf } from "../line-item.ts";
import { heldLine, resumedLine } from "./held-lines.ts";

export type Held = ReturnType<typeof useHeld>;

/** Longest label the gateway keeps. */
export const LONGEST_LABEL = 60;

/** Baskets put aside for later, and taken up again. */
export function useHeld(sale: CurrentSale) {
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const list = useQuery(heldSalesQuery());
  const busy = useRef(false);
  /** One resume id for each, so that a lost answer can be asked for again. */
  const resumeIds = useRef(new Map<string, string>());
  const { lines, state, till, dispatch } = sale;

  async function alone(work: () => Promise<void>) {
    if (busy.current) {
      return;
    }
    busy.current = true;
    await work().finally(() => {
      busy.current = false;
    });
    await queryClient.invalidateQueries({ queryKey: heldSalesQuery().queryKey });
  }

  return {
    isOpen,
    list: list.data?.list ?? [],
    loading: list.isPending,
    error: error ?? (list.data ? undefined : list.error),
    /** Names the basket to be put aside; with none, shows those that were. */
    open: () => {
      if (state.paying) {
        return;
      }
      const [first] = lines;
      if (first) {
        const text = (recipientOf(first.item) || first.item.brandName).slice(0, LONGEST_LABEL);
        dispatch({ type: "entry-opened", entry: { kind: "hold", heldSaleId: newId(), text } });
      } else {
        setError(undefined);
        setIsOpen(!isOpen);
      }
    },
    close: () => setIsOpen(false),
    hold: () =>
      alone(async () => {
        const { entry } = state;
        if (entry?.kind !== "hold" || entry.text.trim() === "") {
          return;
        }
        try {
          await postHeldSale({
            heldSaleId: entry.heldSaleId,
            label: entry.text.trim(),
            lines: lines.map(heldLine),
          });
          dispatch({ type: "held" });
        } catch (failure) {
          dispatch({ type: "hold-failed", error: failure });
        }
      }),
    resume: ({ heldSaleId }: HeldSale) =>
      alone(async () => {
        const resumeId = resumeIds.current.get(heldSaleId) ?? newId();
        resumeIds.current.set(heldSaleId, resumeId);
        try {
          const held = await postResume(heldSaleId, resumeId);
          setError(undefined);
          setIsOpen(false);
          dispatch({
            type: "resumed",
            attempt: {
              saleId: newId(),
              environment: till.environment,
              staffId: till.staffId,
              openedAt: Date.now(),
              lines: held.lines.map((line) => resumedLine(line, newId())),
            },
          });
        } catch (failure) {
          setError(failure);
        }
      }),
  };
}
