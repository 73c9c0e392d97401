import { windowId } from "../../lib/this-window.ts";

/**
 * The windows of a till share one customer's display. The window with the latest change publishes to
 * it, and repeats that; the others would overwrite it with their own, empty side.
 */
interface Teller {
  readonly windowId: string;
  readonly toldAt: number;
}

const STORAGE_KEY = "tillgate.display-teller";

/** From now on the screen is this window's. */
export function tellFromHere(): void {
  const teller: Teller = { windowId: windowId(), toldAt: Date.now() };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(teller));
  } catch {
    // Without storage in the browser, each window publishes for itself.
  }
}

/**
 * Whether this window is the one that tells; says that it is still there.
 * @param goneAfterMs a window that has not told for so long is gone, and this one takes its place
 */
export function isTeller(goneAfterMs: number): boolean {
  const teller = findTeller();
  const isAnothers =
    teller !== undefined &&
    teller.windowId !== windowId() &&
    Date.now() - teller.toldAt < goneAfterMs;
  if (!isAnothers) {
    tellFromHere();
  }
  return !isAnothers;
}

function findTeller(): Teller | undefined {
  try {
    return (JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null") as Teller | null) ?? undefined;
  } catch {
    return undefined;
  }
}
