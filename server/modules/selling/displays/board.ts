import type { DisplayView } from "../../../contract/pos/displays.ts";
import { SECOND } from "../../../lib/clock.ts";
import type { Answer } from "./number-answers.ts";

/** A till sends its view every 20 s; after this long without one, nothing is shown any more. */
const SHOWN_UNHEARD_MS = 90 * SECOND;

/** The sender of a view: the browser of a till, independent of who is signed in there. */
export interface Shower {
  staffId: string;
  /** Digest of the session's token. */
  session: string;
  /** Digest of the browser's own cookie; a browser that has none yet goes by the session. */
  device: string | undefined;
}

/** What a till shows its customer. */
export interface Board {
  view: DisplayView;
  /** What customers said of numbers here, by the line that each is of. */
  answers: readonly Answer[];
  shownAt: number;
  by: Shower;
}

/** Until when a board is shown, unless its till is heard of. */
export function shownUntil({ shownAt }: Board): number {
  return shownAt + SHOWN_UNHEARD_MS;
}

/** A board as it is now: that of a till that is gone shows nothing to the next customer. */
export function boardNow(board: Board | undefined, now: number): Board | undefined {
  return board && now >= shownUntil(board) ? emptied(board) : board;
}

/** @returns the same one where nothing is on it */
export function emptied(board: Board): Board {
  const { view, answers } = board;
  const isEmpty = view.phase === "IDLE" && !view.receiptLink;
  if (isEmpty) return answers.length > 0 ? { ...board, answers: [] } : board;
  const { shopName, language, training, currency, currencyDivisor } = view;
  const shop = { shopName, language, training, currency, currencyDivisor };
  return { ...board, answers: [], view: { ...shop, phase: "IDLE", lines: [], total: 0 } };
}

export function isSameTill(one: Shower, other: Shower): boolean {
  if (one.session === other.session) return true;
  return one.device !== undefined && one.device === other.device;
}
