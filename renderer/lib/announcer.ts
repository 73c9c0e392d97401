import { type RefObject, useEffect, useEffectEvent, useSyncExternalStore } from "react";

/** What cannot wait (an outcome, money) interrupts what is being read. Everything else waits for its turn. */
export type Urgency = "polite" | "assertive";

export interface Announcement {
  readonly id: number;
  readonly text: string;
}

type Announcements = Readonly<Record<Urgency, readonly Announcement[]>>;

/** Long enough to be read out; text that is gone is not found by a screen reader. */
const KEPT_MS = 10_000;
/** A pause after which typing has come to an end. */
export const TYPING_MS = 900;

let announcements: Announcements = { polite: [], assertive: [] };
let newest = 0;
const listeners = new Set<() => void>();
const removals = new Set<ReturnType<typeof setTimeout>>();

function put(next: Announcements): void {
  announcements = next;
  for (const listener of listeners) {
    listener();
  }
}

/** Reads a text out in a region that was there before it, once. */
export function announce(text: string, urgency: Urgency = "polite"): void {
  const id = ++newest;
  put({ ...announcements, [urgency]: [...announcements[urgency], { id, text }] });
  const removal = setTimeout(() => {
    removals.delete(removal);
    const others = announcements[urgency].filter((one) => one.id !== id);
    put({ ...announcements, [urgency]: others });
  }, KEPT_MS);
  removals.add(removal);
}

/** Removes all announcements at once. */
export function clearAnnouncements(): void {
  for (const removal of removals) clearTimeout(removal);
  removals.clear();
  put({ polite: [], assertive: [] });
}

export function useAnnouncements(): Announcements {
  return useSyncExternalStore(subscribe, () => announcements);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

interface How {
  readonly urgency?: Urgency;
  /** After so long without another text. */
  readonly afterMs?: number;
}

/** Reads a text out whenever it is another one; nothing while there is none. */
export function useAnnounced(
  text: string | undefined,
  { urgency = "polite", afterMs = 0 }: How = {},
): void {
  useEffect(() => {
    if (!text) {
      return undefined;
    }
    const timer = setTimeout(() => announce(text, urgency), afterMs);
    return () => clearTimeout(timer);
  }, [text, urgency, afterMs]);
}

/** The same for what an element says, each time the key is another; nothing without one. */
export function useAnnouncedElement(
  element: RefObject<HTMLElement | null>,
  key: string | undefined,
  { urgency = "polite", afterMs = 0 }: How = {},
): void {
  const read = useEffectEvent(() => {
    const text = wordsOf(element.current);
    if (text !== "") {
      announce(text, urgency);
    }
  });
  useEffect(() => {
    if (key === undefined) {
      return undefined;
    }
    const timer = setTimeout(() => read(), afterMs);
    return () => clearTimeout(timer);
  }, [key, afterMs]);
}

/** Its words without the signs of keys and pictures, each paragraph apart from the next. */
function wordsOf(element: HTMLElement | null): string {
  if (!element) {
    return "";
  }
  const copy = element.cloneNode(true) as HTMLElement;
  for (const silent of copy.querySelectorAll("[aria-hidden=true]")) {
    silent.remove();
  }
  const parts = copy.children.length > 0 ? [...copy.children] : [copy];
  return parts
    .map((part) => part.textContent?.trim() ?? "")
    .filter((part) => part !== "")
    .join(". ")
    .replaceAll(/([.!?؟]) ?\. /g, "$1 ");
}
