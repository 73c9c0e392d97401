import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from "react";

interface Enter {
  /** Belongs on the list of what is found. */
  readonly list: RefObject<HTMLDivElement | null>;
  /** Belongs on the field, before the library's own handling of Enter. */
  readonly onKeyDownCapture: (event: KeyboardEvent) => void;
}

/**
 * Enter takes what is found for everything that was typed: the selected entry, at first the top one.
 * The list is a moment behind the field; an Enter that comes sooner waits for it instead of taking
 * an entry of the list before.
 *
 * @param typed what stands in the field
 * @param found what the list shows, a new object whenever it may have changed; undefined while
 *   the list is behind
 */
export function useEnter(typed: string, found: object | undefined): Enter {
  const list = useRef<HTMLDivElement>(null);
  const waitsFor = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (!found || typed === "") {
      return;
    }
    const isAwaited = waitsFor.current === typed;
    waitsFor.current = undefined;
    selectFirst(list.current);
    if (isAwaited) {
      takeSelected(list.current);
    }
  }, [typed, found]);
  return {
    list,
    onKeyDownCapture: (event) => {
      if (event.key !== "Enter" || event.nativeEvent.isComposing) {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
      if (found) {
        takeSelected(list.current);
      } else {
        waitsFor.current = typed;
      }
    },
  };
}

/** The library marks its selection in the document, where a list that changes may lose it. */
function selectFirst(list: HTMLElement | null): void {
  list?.querySelector("[data-selected]")?.removeAttribute("data-selected");
  list?.querySelector("[data-action]")?.setAttribute("data-selected", "true");
}

function takeSelected(list: HTMLElement | null): void {
  list?.querySelector<HTMLElement>("[data-selected]")?.click();
}
