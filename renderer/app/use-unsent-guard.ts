import { useEffect } from "react";
import { isOwn, listConfirmedAttempts } from "../features/counter/sale/attempt/attempt-store.ts";

/**
 * Asks before the page goes while a paid sale of this window has not been answered for, locked or not.
 * It would be kept and sent by the next page all the same; but a person who closes the till believes
 * that it is done.
 */
export function useUnsentGuard(): void {
  useEffect(() => {
    function onBeforeUnload(event: BeforeUnloadEvent) {
      if (listConfirmedAttempts().some(isOwn)) {
        event.preventDefault();
      }
    }
    globalThis.addEventListener("beforeunload", onBeforeUnload);
    return () => globalThis.removeEventListener("beforeunload", onBeforeUnload);
  }, []);
}
