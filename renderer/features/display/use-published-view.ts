import { useEffect, useRef } from "react";
import type { DisplayView } from "../../../server/contract/pos/displays.ts";
import { request } from "../../lib/api-client.ts";
import { subscribeConnection } from "../../lib/connection-store.ts";

/** The gateway keeps it in memory: whoever starts again is told again within this time. */
const TELL_AGAIN_MS = 20_000;

/** Shows the customer what the till says, while it has a code: the newest, in order, once each. */
export function usePublishedView(code: string | undefined, view: DisplayView | undefined): void {
  const text = view ? JSON.stringify(view) : undefined;
  const wanted = useRef<string>(undefined);
  const sending = useRef(false);
  useEffect(() => {
    wanted.current = text;
    if (!code || text === undefined) {
      return;
    }
    async function tell() {
      if (sending.current) {
        return;
      }
      sending.current = true;
      try {
        for (let told: string | undefined; told !== wanted.current; ) {
          told = wanted.current;
          if (told === undefined) {
            break;
          }
          await request("PUT", `/pos/displays/${code}`, { body: JSON.parse(told) as DisplayView });
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
