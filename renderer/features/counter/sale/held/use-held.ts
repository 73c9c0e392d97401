import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { Environment } from "../../../../../server/contract/common.ts";
import type { HeldSale } from "../../../../../server/contract/pos/held-sales.ts";
import { isRefusal } from "../../../../lib/api-client.ts";
import { subscribeConnection } from "../../../../lib/connection-store.ts";
import { newId } from "../../../../lib/new-id.ts";
import { troubleOf } from "../../../../lib/query-trouble.ts";
import { SAME_NUMBER_MS } from "../../../../lib/same-number.ts";
import { takePlaceOf, windowId } from "../../../../lib/this-window.ts";
import { heldSalesQuery, postHeldSale, postResume } from "../../api/held-queries.ts";
import { PAGE_SIZE } from "../../ui/page-size.ts";
import { type Attempt, isAt, isOwn, listAttempts, saveAttempt } from "../attempt/attempt-store.ts";
import { recipientOf } from "../attempt/line-item.ts";
import type { Till } from "../attempt/till.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import { heldLine, resumedLine } from "./held-lines.ts";

const STORAGE_KEY = "tillgate.resumes";

export type Held = ReturnType<typeof useHeld>;

/** Longest label the gateway keeps. */
export const LONGEST_LABEL = 60;

const NO_HELD: readonly HeldSale[] = [];

/** What is done with held sales, one at a time: a key that is pressed twice does it once. */
const HELD_WORK = ["held-sales"];

/** Baskets put aside for later, and taken up again. */
export function useHeld(sale: CurrentSale) {
  const [isOpen, setIsOpen] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const list = useQuery(heldSalesQuery());
  const all = list.data?.list ?? NO_HELD;
  const pages = Math.max(1, Math.ceil(all.length / PAGE_SIZE));
  const [wantedPage, turnTo] = useState(0);
  // Other tills may have taken up the sales of the last page.
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
    /** Those that the digits 1 to 9 take up. */
    tiles: all.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE),
    page,
    pages,
    turnTo,
    loading: list.isPending && !troubleOf(list),
    error: error ?? troubleOf(list),
    /** Names the basket to be put aside; with an empty basket, shows the held sales. */
    open: () => {
      if (state.paying) {
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
    /** Those that were put aside, where no sale is begun. */
    show: () => {
      if (isFree) {
        show(true);
      }
    },
    close: () => {
      choose(undefined);
      setIsOpen(false);
    },
    /** The one that a digit chose, and that is taken up in a moment. */
    chosen,
    choose: ({ heldSaleId }: HeldSale) => choose(heldSaleId),
    hold,
    resume: ({ heldSaleId }: HeldSale) => take(pendingOf(heldSaleId, till)),
  };
}

/** Whether something is done with held sales, and how to ask for their list when it is done. */
function useHeldWork() {
  const queryClient = useQueryClient();
  return {
    isBusy: () => queryClient.isMutating({ mutationKey: HELD_WORK }) > 0,
    askForList: () => {
      void queryClient.invalidateQueries({ queryKey: heldSalesQuery().queryKey });
    },
  };
}

/** Puts the basket aside under the name that was typed. */
function useHolding({ lines, state, till, dispatch }: CurrentSale): () => void {
  const { isBusy, askForList } = useHeldWork();
  const putAside = useMutation({
    mutationKey: HELD_WORK,
    mutationFn: postHeldSale,
    onSuccess: () => dispatch({ type: "held" }),
    onError: (failure) => dispatch({ type: "hold-failed", error: failure }),
    onSettled: askForList,
  });
  return () => {
    const { entry } = state;
    if (entry?.kind !== "hold" || entry.text.trim() === "" || isBusy()) {
      return;
    }
    putAside.mutate({
      heldSaleId: entry.heldSaleId,
      label: entry.text.trim(),
      environment: till.environment,
      lines: lines.map(heldLine),
    });
  };
}

interface Taking {
  /** No sale is begun. */
  readonly isFree: boolean;
  readonly onTaken: () => void;
  readonly onFailed: (failure: unknown) => void;
}

/** Takes a held sale up: stored before it is asked for, and forgotten once the basket is stored. */
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
        // Another sale was begun meanwhile: the request is repeated when that is done.
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
        // Another till has it, or it is gone for good.
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

/** The held sale that a digit chose; it is taken up in a moment, unless another digit follows. */
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
    // Once taken up it is gone for other tills: so only after it is known that no number is being
    // typed.
    const timer = setTimeout(() => takeChosen(), SAME_NUMBER_MS);
    return () => clearTimeout(timer);
  }, [chosen]);
  return [chosen, choose] as const;
}

/** The same ids as the first time, when it is asked for again. */
function pendingOf(heldSaleId: string, till: Till): PendingResume {
  const known = listPendingResumes().find((pending) => pending.heldSaleId === heldSaleId);
  const { staffId, environment, training } = till;
  return known && isAt(till, known) && isOwn(known)
    ? known
    : { heldSaleId, resumeId: newId(), saleId: newId(), staffId, environment, training };
}

/**
 * Takes up a held sale again, for which the till stopped between the request and the answer, or which
 * it could not take up yet.
 * @param isFree no sale is begun
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

/** What a window that is gone was taking up. */
async function findLeftBehind(list: readonly PendingResume[]): Promise<PendingResume | undefined> {
  for (const pending of list) {
    if (pending.windowId !== undefined && (await takePlaceOf(pending.windowId))) {
      return pending;
    }
  }
  return undefined;
}

/**
 * A held sale that is being taken up. The gateway takes it out of its list with the answer, so this is
 * stored before the request: after a power cut the till asks again under the same ids, and gets the
 * same basket. It is forgotten once the basket is stored as a sale (rules#held-sale).
 */
export interface PendingResume {
  readonly heldSaleId: string;
  readonly resumeId: string;
  /** The sale it becomes. */
  readonly saleId: string;
  readonly staffId: string;
  readonly environment: Environment;
  readonly training?: boolean;
  readonly windowId?: string;
}

export function listPendingResumes(): PendingResume[] {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]") as unknown;
    return Array.isArray(stored) ? stored.filter(isPending) : [];
  } catch {
    return [];
  }
}

/** Over what was stored for the same basket before. */
export function savePendingResume(pending: PendingResume): void {
  store([...others(pending.heldSaleId), pending]);
}

function forgetPendingResume(heldSaleId: string): void {
  store(others(heldSaleId));
}

function others(heldSaleId: string): PendingResume[] {
  return listPendingResumes().filter((pending) => pending.heldSaleId !== heldSaleId);
}

function store(list: readonly PendingResume[]): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(list));
}

function isPending(value: unknown): value is PendingResume {
  return (
    typeof value === "object" && value !== null && "heldSaleId" in value && "resumeId" in value
  );
}
