import { windowId } from "../../lib/this-window.ts";

/**
 * The windows of a till share one customer's display. The window with the latest change publishes to
 * it, and repeats that; the others would overwrite it with their own, empty side.
 */
interface Sender {
  readonly windowId: string;
  readonly sentAt: number;
}

const STORAGE_KEY = "tillgate.display-sender";

/** From now on the screen is this window's. */
export function sendFromHere(): void {
  const sender: Sender = { windowId: windowId(), sentAt: Date.now() };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(sender));
  } catch {
    // Without storage in the browser, each window publishes for itself.
  }
}

/**
 * Whether this window is the one that tells; says that it is still there.
 * @param goneAfterMs a window that has not told for so long is gone, and this one takes its place
 */
export function isSender(goneAfterMs: number): boolean {
  const sender = findSender();
  const isAnothers =
    sender !== undefined &&
    sender.windowId !== windowId() &&
    Date.now() - sender.sentAt < goneAfterMs;
  if (!isAnothers) {
    sendFromHere();
  }
  return !isAnothers;
}

function findSender(): Sender | undefined {
  try {
    return (JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null") as Sender | null) ?? undefined;
  } catch {
    return undefined;
  }
}
