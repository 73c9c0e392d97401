import { useEffect, useRef } from "react";
import { displayOperations } from "../../../server/contract/pos/display-operations.ts";
import type { DisplayView } from "../../../server/contract/pos/displays.ts";
import { call } from "../../lib/api-client.ts";
import { subscribeConnection } from "../../lib/connection-store.ts";
import { isSender, sendFromHere } from "./display-sender.ts";

/** The gateway keeps it in memory: after a restart of either it is sent again within this time. */
const TELL_AGAIN_MS = 20_000;
/** A window that has not told for so long is gone. */
const GONE_AFTER_MS = 50_000;

/**
 * Shows the customer what the till says, while it has a code: the newest, in order, once each; of
 * several windows, what the one says in which something happened last.
 */
export function usePublishedView(code: string | undefined, view: DisplayView | undefined): void {
  const text = view ? JSON.stringify(view) : undefined;
  const wanted = useRef<string>(undefined);
  const sending = useRef(false);
  const known = useRef<string>(undefined);
  useEffect(() => {
    wanted.current = text;
    if (!code || text === undefined) {
      return;
    }
    const news = `${code} ${text}`;
    // What a window begins with is no news: another may be in the middle of a sale.
    if (known.current !== undefined && known.current !== news) {
      sendFromHere();
    }
    known.current = news;
    const params = { code };
    async function tell() {
      if (sending.current || !isSender(GONE_AFTER_MS)) {
        return;
      }
      sending.current = true;
      try {
        for (let told: string | undefined; told !== wanted.current; ) {
          told = wanted.current;
          if (told === undefined) {
            break;
          }
          await call(displayOperations.show, {
            params,
            body: JSON.parse(told) as DisplayView,
          });
        }
      } catch {
        // A display never stands in a sale's way; it is told again shortly.
      } finally {
        sending.current = false;
      }
    }
    void tell();
    const timer = setInterval(() => void tell(), TELL_AGAIN_MS);
    const stopListening = subscribeConnection(() => void tell());
    return () => {
      clearInterval(timer);
      stopListening();
    };
  }, [code, text]);
}
