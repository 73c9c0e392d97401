import { type RefObject, useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { Listeners } from "./listeners.ts";

/** "assertive" (outcomes, money) interrupts the current announcement; "polite" waits. */
export type Urgency = "polite" | "assertive";

export interface Announcement {
  readonly id: number;
  readonly text: string;
}

type Announcements = Readonly<Record<Urgency, readonly Announcement[]>>;

/** Time in milliseconds before an announced text is removed. */
const KEPT_MS = 10_000;
/** Pause in milliseconds after which typing counts as finished. */
export const TYPING_MS = 900;

let announcements: Announcements = { polite: [], assertive: [] };
let newest = 0;
const listeners = new Listeners();
const removals = new Set<ReturnType<typeof setTimeout>>();

function put(next: Announcements): void {
  announcements = next;
  listeners.notify();
}

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

export function clearAnnouncements(): void {
  for (const removal of removals) clearTimeout(removal);
  removals.clear();
  put({ polite: [], assertive: [] });
}

export function useAnnouncements(): Announcements {
  return useSyncExternalStore(listeners.subscribe, () => announcements);
}

interface How {
  readonly urgency?: Urgency;
  /** Delay in milliseconds, restarted by each new text. */
  readonly afterMs?: number;
}

/** Announces a text whenever it changes; nothing if it is undefined. */
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

interface HowElement extends How {
  /** The element's heading, which is outside the element and is announced first. */
  readonly heading?: string | undefined;
}

/** Announces an element's text whenever the key changes. Announces nothing without a key. */
export function useAnnouncedElement(
  element: RefObject<HTMLElement | null>,
  key: string | undefined,
  { urgency = "polite", afterMs = 0, heading = "" }: HowElement = {},
): void {
  const read = useEffectEvent(() => {
    const text = [heading, wordsOf(element.current)]
      .filter((part) => part !== "")
      .join(". ")
      .replace("…. ", "… ");
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
