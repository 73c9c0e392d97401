import { useEffect, useState } from "react";
import { type DisplayView, displayOperations } from "../../../server/contract/pos/displays.ts";
import { openStream } from "../../lib/api-client.ts";

const AGAIN_MS = 3_000;

export interface Watched {
  readonly view: DisplayView | undefined;
  /** True without data: the till has stopped, is restarting, or has another code. */
  readonly isAway: boolean;
}

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
        // The customer must not see content that may be outdated.
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
