import { useEffect, useState } from "react";
import { type DisplayView, displayOperations } from "../../../server/contract/pos/displays.ts";
import { call } from "../../lib/api-client.ts";
import { subscribeConnection } from "../../lib/connection-store.ts";
import { windowId } from "../../lib/this-window.ts";
import { useSame } from "../../lib/use-same.ts";

const STORAGE_KEY = "tillgate.display-sender";

/** A window counts as closed after this time without publishing. */
const GONE_AFTER_MS = 50_000;

/**
 * Publishes this window's content to a display: only the newest content, in order, one request at a
 * time.
 */
class ViewPublisher {
  #wanted: Published | undefined;
  #known: string | undefined;
  #isSending = false;

  /** Sets the content. A change makes this window the publisher. */
  show(published: Published): void {
    this.#wanted = published;
    const news = JSON.stringify(published);
    // A window's first content is no change: another window may be in the middle of a sale.
    if (this.#known !== undefined && this.#known !== news) {
      sendFromHere();
    }
    this.#known = news;
    void this.publish();
  }

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
      // A failed display must not disturb a sale; the content is published again shortly.
    } finally {
      this.#isSending = false;
    }
  }
}

/** The gateway keeps the content in memory only, and may restart. */
const PUBLISH_AGAIN_MS = 20_000;

/**
 * Publishes the till's content to its customer display while the till has a code: only the newest
 * content, in order, once each. If several windows are open, the window with the latest change
 * publishes.
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

interface Published {
  readonly code: string;
  readonly view: DisplayView;
}

/**
 * The window that publishes. All windows of a till share one customer display. The window with the
 * latest change publishes and repeats its content; other windows would overwrite the display with
 * their idle views.
 */
interface Sender {
  readonly windowId: string;
  readonly sentAt: number;
}

function sendFromHere(): void {
  const sender: Sender = { windowId: windowId(), sentAt: Date.now() };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(sender));
  } catch {
    // Without browser storage, each window publishes for itself.
  }
}

/**
 * Returns whether this window publishes. A publishing window also renews its claim.
 * @param goneAfterMs this window replaces a publisher that has not published for this time
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
