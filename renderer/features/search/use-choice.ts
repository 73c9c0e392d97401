import { type KeyboardEvent, useEffectEvent, useId, useLayoutEffect, useState } from "react";
import { meaningOf } from "../../lib/key-edge.ts";

interface Options {
  /** What stands in the field. */
  readonly typed: string;
  /** What is listed, in its order. */
  readonly ids: readonly string[];
  /** The list is for all that was typed. */
  readonly isCurrent: boolean;
  readonly onTake: (at: number) => void;
}

/**
 * Which entry of a list is chosen while the field above it has the focus: the first of what was
 * typed for, or the one the arrows went to. Enter takes it. The list is a moment behind the field; an
 * Enter that comes sooner waits for it instead of taking an entry of the list before.
 */
export function useChoice({ typed, ids, isCurrent, onTake }: Options) {
  const listId = useId();
  const [arrowed, setArrowed] = useState<{ readonly typed: string; readonly id: string }>();
  const [waitsFor, setWaitsFor] = useState<string>();
  const at = arrowed?.typed === typed ? ids.indexOf(arrowed.id) : -1;
  const first = typed === "" || ids.length === 0 ? undefined : 0;
  const chosen = at >= 0 ? at : first;
  const idOf = (index: number) => `${listId}-${index}`;

  const takeAwaited = useEffectEvent(() => {
    setWaitsFor(undefined);
    if (waitsFor === typed && ids.length > 0) {
      onTake(0);
    }
  });
  useLayoutEffect(() => {
    if (isCurrent && typed !== "") {
      queueMicrotask(() => takeAwaited());
    }
  }, [isCurrent, typed]);
  useLayoutEffect(() => {
    if (chosen !== undefined) {
      document.getElementById(`${listId}-${chosen}`)?.scrollIntoView?.({ block: "nearest" });
    }
  }, [chosen, listId]);

  function move(to: number) {
    const id = ids[(to + ids.length) % ids.length];
    if (id !== undefined) {
      setArrowed({ typed, id });
    }
  }

  return {
    listId,
    chosen,
    idOf,
    activeId: chosen === undefined ? undefined : idOf(chosen),
    onKeyDown: (event: KeyboardEvent) => {
      const meaning = meaningOf(event.nativeEvent);
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        const none = event.key === "ArrowDown" ? 0 : ids.length - 1;
        const step = event.key === "ArrowDown" ? 1 : -1;
        move(chosen === undefined ? none : chosen + step);
      } else if (meaning.kind === "confirm") {
        event.preventDefault();
        if (!isCurrent && typed !== "") {
          setWaitsFor(typed);
        } else if (chosen !== undefined) {
          onTake(chosen);
        }
      }
    },
  };
}
