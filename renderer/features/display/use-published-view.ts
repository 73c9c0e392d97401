import { useEffect, useState } from "react";
import { type DisplayView, displayOperations } from "../../../server/contract/pos/displays.ts";
import { call } from "../../lib/api-client.ts";
import { subscribeConnection } from "../../lib/connection-store.ts";
import { windowId } from "../../lib/this-window.ts";
import { useSame } from "../../lib/use-same.ts";

const STORAGE_KEY = "tillgate.display-sender";

/** A window that has not published for so long is gone. */
const GONE_AFTER_MS = 50_000;

/** Sends a display what this window shows: the newest, in order, one request at a time. */
class ViewPublisher {
  #wanted: Published | undefined;
  /** What this window had to show last. */
  #known: string | undefined;
  #isSending = false;

  /** From now on this is to be shown, where this window is the one that publishes. */
  show(published: Published): void {
    this.#wanted = published;
    const news = JSON.stringify(published);
    // What a window begins with is no news: another may be in the middle of a sale.
    if (this.#known !== undefined && this.#known !== news) {
      sendFromHere();
    }
    this.#known = news;
    void this.publish();
  }

  /** Nothing is to be shown. */
  clear(): void {
    this.#wanted = undefined;
  }

  async publish(): Promise<void> {
    if (this.#isSending || !isSender(GONE_AFTER_MS)) {
      return;
    }
    this.#isSending = true;
    try {
      for (let sent: Published | undefined; this.#wanted && sent !== this.#wanted; ) {
        sent = this.#wanted;
        const { code, view } = sent;
        await call(displayOperations.show, { params: { code }, body: view });
      }
    } catch {
      // A display never stands in a sale's way; it is published again shortly.
    } finally {
      this.#isSending = false;
    }
  }
}

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

/** What a display shows, and by which code it is known. */
interface Published {
  readonly code: string;
  readonly view: DisplayView;
}

/**
 * The windows of a till share one customer's display. The window with the latest change publishes to
 * it, and repeats that; the others would overwrite it with their own, empty side.
 */
interface Sender {
  readonly windowId: string;
  readonly sentAt: number;
}

/** From now on the screen is this window's. */
function sendFromHere(): void {
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
function isSender(goneAfterMs: number): boolean {
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
