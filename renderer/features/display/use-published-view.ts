import { useEffect, useState } from "react";
import type { DisplayView } from "../../../server/contract/pos/displays.ts";
import { subscribeConnection } from "../../lib/connection-store.ts";
import { useSame } from "../../lib/use-same.ts";
import { ViewPublisher } from "./view-publisher.ts";

/** The gateway keeps it in memory: after a restart of either it is sent again within this time. */
const PUBLISH_AGAIN_MS = 20_000;

/**
 * Shows the customer what the till says, while it has a code: the newest, in order, once each; of
 * several windows, what the one says in which something happened last.
 */
export function usePublishedView(code: string | undefined, current: DisplayView | undefined): void {
  const view = useSame(current);
  const [publisher] = useState(() => new ViewPublisher());
  useEffect(() => {
    if (!code || !view) {
      publisher.clear();
      return;
    }
    publisher.show({ code, view });
    const timer = setInterval(() => void publisher.publish(), PUBLISH_AGAIN_MS);
    const stopListening = subscribeConnection(() => void publisher.publish());
    return () => {
      clearInterval(timer);
      stopListening();
    };
  }, [publisher, code, view]);
}
