import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { Environment } from "../../../../../server/contract/common.ts";
import type { HeldSale, HeldSaleInput } from "../../../../../server/contract/pos/held-sales.ts";
import { isRefusal } from "../../../../lib/api-client.ts";
import { keep, readList } from "../../../../lib/browser-storage.ts";
import { subscribeConnection } from "../../../../lib/connection-store.ts";
import { newId } from "../../../../lib/new-id.ts";
import { troubleOf } from "../../../../lib/query-trouble.ts";
import { SAME_NUMBER_MS } from "../../../../lib/same-number.ts";
import { takePlaceOf, windowId } from "../../../../lib/this-window.ts";
import { discardHeld, heldSalesQuery, postHeldSale, postResume } from "../../api/held-queries.ts";
import { PAGE_SIZE } from "../../ui/page-size.ts";
import type { StepControl, StepWords } from "../../ui/step-control.ts";
import {
  type Attempt,
  isAt,
  isOwn,
  listAttempts,
  removeAttempt,
  saveAttempt,
} from "../attempt/attempt-store.ts";
import { recipientOf } from "../attempt/line-item.ts";
import type { Till } from "../attempt/till.ts";
import { awaitsAnswer } from "../basket/sale-state.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import { heldLine, resumedLine } from "./held-lines.ts";

const STORAGE_KEY = "tillgate.resumes";

export type Held = ReturnType<typeof useHeld>;

export const LONGEST_LABEL = 60;

const NO_HELD: readonly HeldSale[] = [];

/** Only one request runs at a time, so that a key pressed twice acts once. */
const HELD_WORK = ["held-sales"];

export function useHeld(sale: CurrentSale) {
  const [isOpen, setIsOpen] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const list = useQuery(heldSalesQuery());
  const all = list.data?.list ?? NO_HELD;
  const pages = Math.max(1, Math.ceil(all.length / PAGE_SIZE));
  const [wantedPage, turnTo] = useState(0);
  // The last page may have disappeared, because other tills have resumed its sales.
  const page = Math.min(wantedPage, pages - 1);
  const { lines, state, till, dispatch } = sale;
  const isFree = lines.length === 0 && !state.paying;
  const hold = useHolding(sale);
  const take = useTaking(sale, {
    isFree,
    onTaken: () => {
      setError(undefined);
      setIsOpen(false);
    },
    onFailed: setError,
  });
  const [chosen, choose] = useChosen((heldSaleId) => take(pendingOf(heldSaleId, till)));
  useUnfinishedResume(till, isFree, take);

  function show(open: boolean): void {
    setError(undefined);
    turnTo(0);
    setIsOpen(open);
  }

  return {
    isOpen,
    list: all,
    tiles: all.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
    page,
    pages,
    turnTo,
    loading: list.isPending && !troubleOf(list),
    error: error ?? troubleOf(list),
    /** Holds the basket, or opens the list if the basket is empty. */
    open: () => {
      if (awaitsAnswer(state)) {
        return;
      }
      const [first] = lines;
      if (first) {
        const text = (recipientOf(first.item) || first.item.brandName).slice(0, LONGEST_LABEL);
        dispatch({ type: "entry-opened", entry: { kind: "hold", heldSaleId: newId(), text } });
      } else {
        show(!isOpen);
      }
    },
    show: () => {
      if (isFree) {
        show(true);
      }
    },
    close: () => {
      choose(undefined);
      setIsOpen(false);
    },
    chosen,
    choose: ({ heldSaleId }: HeldSale) => choose(heldSaleId),
    hold,
    resume: ({ heldSaleId }: HeldSale) => take(pendingOf(heldSaleId, till)),
  };
}

function useHeldWork() {
  const queryClient = useQueryClient();
  return {
    isBusy: () => queryClient.isMutating({ mutationKey: HELD_WORK }) > 0,
    askForList: () => {
      void queryClient.invalidateQueries({ queryKey: heldSalesQuery().queryKey });
    },
  };
}

/**
 * Holds the basket. The id is stored before the request, so that a copy whose answer is lost is
 * deleted when the sale ends (rules#held-sale).
 */
function useHolding({ lines, state, till, dispatch }: CurrentSale): () => void {
  const queryClient = useQueryClient();
  const { isBusy, askForList } = useHeldWork();
  const putAside = useMutation({
    mutationKey: HELD_WORK,
    mutationFn: ({ attempt, input }: { attempt: Attempt; input: HeldSaleInput }) => {
      saveAttempt({ ...attempt, heldAs: [...(attempt.heldAs ?? []), input.heldSaleId] });
      return postHeldSale(input);
    },
    onSuccess: ({ heldSaleId }, { attempt: { saleId, heldAs = [] } }) => {
      // Also after a lock, which leaves no counter that would delete the sale.
      removeAttempt(saleId);
      dispatch({ type: "held", saleId });
      return discardHeld(
        queryClient,
        heldAs.filter((id) => id !== heldSaleId),
      );
    },
    onError: (failure) => dispatch({ type: "hold-failed", error: failure }),
    onSettled: askForList,
  });
  return () => {
    const { attempt, entry, asksDiscount } = state;
    if (!attempt || entry?.kind !== "hold" || entry.text.trim() === "") {
      return;
    }
    if (asksDiscount || awaitsAnswer(state) || isBusy()) {
      return;
    }
    const { heldSaleId } = entry;
    dispatch({ type: "hold", heldSaleId });
    putAside.mutate({
      attempt,
      input: {
        heldSaleId,
        label: entry.text.trim(),
        environment: till.environment,
        lines: lines.map(heldLine),
      },
    });
  };
}

interface Taking {
  readonly isFree: boolean;
  readonly onTaken: () => void;
  readonly onFailed: (failure: unknown) => void;
}

/** Stores each request before sending it. Deletes the request after the basket is stored. */
function useTaking({ dispatch }: CurrentSale, { isFree, onTaken, onFailed }: Taking) {
  const { isBusy, askForList } = useHeldWork();
  const resume = useMutation({
    mutationKey: HELD_WORK,
    mutationFn: (pending: PendingResume) => {
      savePendingResume({ ...pending, windowId: windowId() });
      return postResume(pending.heldSaleId, pending.resumeId);
    },
    onSuccess: (held, { heldSaleId, saleId, staffId, environment, training }) => {
      if (!isFree) {
        // Another sale has started. The request is repeated after that sale.
        return;
      }
      const attempt: Attempt = {
        saleId,
        environment,
        ...(training !== undefined && { training }),
        staffId,
        openedAt: Date.now(),
        lines: held.lines.map((line) => resumedLine(line, newId())),
      };
      saveAttempt(attempt);
      forgetPendingResume(heldSaleId);
      onTaken();
      dispatch({ type: "resumed", attempt });
    },
    onError: (failure, { heldSaleId }) => {
      if (isRefusal(failure)) {
        // Another till has resumed the sale, or the sale was deleted.
        forgetPendingResume(heldSaleId);
      }
      onFailed(failure);
    },
    onSettled: askForList,
  });
  return (pending: PendingResume): void => {
    if (!isBusy()) {
      resume.mutate(pending);
    }
  };
}

/** Resumes the chosen sale after a short delay, unless another digit follows. */
function useChosen(take: (heldSaleId: string) => void) {
  const [chosen, choose] = useState<string>();
  const takeChosen = useEffectEvent(() => {
    choose(undefined);
    if (chosen !== undefined) {
      take(chosen);
    }
  });
  useEffect(() => {
    if (chosen === undefined) {
      return undefined;
    }
    // A resumed sale disappears from other tills, so the digit must not be the start of a number.
    const timer = setTimeout(() => takeChosen(), SAME_NUMBER_MS);
    return () => clearTimeout(timer);
  }, [chosen]);
  return [chosen, choose] as const;
}

/** Returns the request to resume a sale. A repeat uses the stored ids. */
function pendingOf(heldSaleId: string, till: Till): PendingResume {
  const known = listPendingResumes().find((pending) => pending.heldSaleId === heldSaleId);
  const { staffId, environment, training } = till;
  return known && isAt(till, known) && isOwn(known)
    ? known
    : { heldSaleId, resumeId: newId(), saleId: newId(), staffId, environment, training };
}

/**
 * Repeats a request to resume after the till stopped, or after another sale has ended.
 * @param isFree true if no sale is in progress
 */
function useUnfinishedResume(
  till: Till,
  isFree: boolean,
  take: (pending: PendingResume) => void,
): void {
  const takeUnfinished = useEffectEvent((unfinished: PendingResume) => {
    if (!isFree) {
      return;
    }
    if (listAttempts().some(({ saleId }) => saleId === unfinished.saleId)) {
      forgetPendingResume(unfinished.heldSaleId);
    } else {
      take(unfinished);
    }
  });
  const { environment, staffId, training } = till;
  useEffect(() => {
    if (!isFree) {
      return;
    }
    const place = { environment, staffId, training };
    async function findUnfinished() {
      const here = listPendingResumes().filter((pending) => isAt(place, pending));
      const unfinished = here.find(isOwn) ?? (await findLeftBehind(here));
      if (unfinished) {
        takeUnfinished(unfinished);
      }
    }
    void findUnfinished();
    return subscribeConnection(() => void findUnfinished());
  }, [isFree, environment, staffId, training]);
}

async function findLeftBehind(list: readonly PendingResume[]): Promise<PendingResume | undefined> {
  for (const pending of list) {
    if (pending.windowId !== undefined && (await takePlaceOf(pending.windowId))) {
      return pending;
    }
  }
  return undefined;
}

/**
 * Request to resume a held sale. The till stores it before sending it, because the gateway removes
 * the sale from its list when it answers. After a power cut, a repeat with the same ids returns the
 * same basket. The request is deleted after the basket is stored as a sale (rules#held-sale).
 */
export interface PendingResume {
  readonly heldSaleId: string;
  readonly resumeId: string;
  readonly saleId: string;
  readonly staffId: string;
  readonly environment: Environment;
  readonly training?: boolean;
  readonly windowId?: string;
}

export function listPendingResumes(): PendingResume[] {
  return readList<PendingResume>(STORAGE_KEY, "heldSaleId", "resumeId");
}

/**
 * Replaces an earlier request for the same basket.
 * @throws StorageError if the browser cannot store the request; the basket then stays held
 */
export function savePendingResume(pending: PendingResume): void {
  keep(STORAGE_KEY, JSON.stringify([...others(pending.heldSaleId), pending]));
}

function forgetPendingResume(heldSaleId: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(others(heldSaleId)));
  } catch {
    // The request stays, and its repetition gets the same answer.
  }
}

function others(heldSaleId: string): PendingResume[] {
  return listPendingResumes().filter((pending) => pending.heldSaleId !== heldSaleId);
}

export function heldControl(held: Held, { t }: StepWords): StepControl {
  return {
    typing: "none",
    next: { label: t("counter.next.held"), ready: false },
    proceed: () => undefined,
    pick: (index) => {
      const one = held.tiles[index];
      if (one) {
        held.choose(one);
      }
    },
    turnPage: (step) => held.turnTo(Math.min(Math.max(0, held.page + step), held.pages - 1)),
  };
}
