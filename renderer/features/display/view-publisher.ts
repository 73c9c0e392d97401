import { displayOperations } from "../../../server/contract/pos/display-operations.ts";
import type { DisplayView } from "../../../server/contract/pos/displays.ts";
import { call } from "../../lib/api-client.ts";
import { isSender, sendFromHere } from "./display-sender.ts";

/** A window that has not published for so long is gone. */
const GONE_AFTER_MS = 50_000;

/** What a display shows, and by which code it is known. */
interface Published {
  readonly code: string;
  readonly view: DisplayView;
}

/** Sends a display what this window shows: the newest, in order, one request at a time. */
export class ViewPublisher {
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
