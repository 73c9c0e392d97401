import { useEffect, useState } from "react";
import { type DisplayView, displayOperations } from "../../../server/contract/pos/displays.ts";
import { openStream } from "../../lib/api-client.ts";

const AGAIN_MS = 3_000;

/** What a screen knows: what to show, or why it shows nothing. */
export interface Watched {
  readonly view: DisplayView | undefined;
  /** The till is not heard: stopped, restarting, or it has another code. */
  readonly isAway: boolean;
}

/** Follows a till's customer side for as long as the screen is on. */
export function useDisplayView(code: string): Watched {
  const [watched, setWatched] = useState<Watched>({ view: undefined, isAway: false });
  useEffect(() => {
    let source: EventSource | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    function open() {
      const stream = openStream(displayOperations.watch, { params: { code } });
      source = stream.source;
      stream.listen("view", (view) => setWatched({ view, isAway: false }));
      source.addEventListener("error", () => {
        // What was shown last may not be true any more, and must not be read as if it were.
        setWatched({ view: undefined, isAway: true });
        source?.close();
        again = setTimeout(open, AGAIN_MS);
      });
    }
    open();
    return () => {
      clearTimeout(again);
      source?.close();
    };
  }, [code]);
  return watched;
}
