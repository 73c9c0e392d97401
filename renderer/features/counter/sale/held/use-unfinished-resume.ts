import { useEffect, useEffectEvent } from "react";
import { subscribeConnection } from "../../../../lib/connection-store.ts";
import { takePlaceOf } from "../../../../lib/this-window.ts";
import { isAt, isOwn, listAttempts } from "../attempt/attempt-store.ts";
import type { Till } from "../attempt/till.ts";
import { forgetPendingResume, listPendingResumes, type PendingResume } from "./pending-resume.ts";

/**
 * Takes up a held sale again, for which the till stopped between the request and the answer, or which
 * it could not take up yet.
 * @param isFree no sale is begun
 */
export function useUnfinishedResume(
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
