import { useEffect, useState } from "react";
import { type DisplayView, displayOperations } from "../../../server/contract/pos/displays.ts";
import { call } from "../../lib/api-client.ts";
import { readJson } from "../../lib/browser-storage.ts";
import { subscribeConnection } from "../../lib/connection-store.ts";
import { windowId } from "../../lib/this-window.ts";
import { useSame } from "../../lib/use-before.ts";

const STORAGE_KEY = "tillgate.display-sender";

/** A window that has not published for this time counts as closed. */
const GONE_AFTER_MS = 50_000;

/** Publishes this window's newest content, with one request at a time. */
class ViewPublisher {
  #wanted: Published | undefined;
  #known: string | undefined;
  #isSending = false;

  /** A change makes this window the publisher. */
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
      // A display failure must not affect the sale. The content is published again soon.
    } finally {
      this.#isSending = false;
    }
  }
}

/** Interval of repeated publishing, because a restarted gateway has lost the content. */
const PUBLISH_AGAIN_MS = 20_000;

/**
 * Publishes the till's content to its customer display. Of several windows, the one with the latest
 * change publishes.
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
 * The only window that publishes. All windows of a till share one display, which the idle views of
 * other windows would overwrite.
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
    // Without browser storage, each window publishes.
  }
}

/**
 * Also renews this window's claim.
 * @param goneAfterMs time without publishing after which this window replaces the publisher
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
  return readJson(STORAGE_KEY) as Sender | undefined;
}
