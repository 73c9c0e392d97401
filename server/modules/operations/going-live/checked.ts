import type { CheckedForLive, GoingLiveCheck } from "../../../contract/pos/till-environment.ts";
import { wordCheck } from "./check-words.ts";

type Figures = CheckedForLive["figures"];

/** A check without which nobody goes live. */
export function stopping(
  check: GoingLiveCheck,
  passed: boolean,
  figures: Figures = {},
): CheckedForLive {
  return { check, passed, stops: true, figures, message: wordCheck(check, passed, figures) };
}

/** A check that an owner should know of, and may pass over. */
export function warning(
  check: GoingLiveCheck,
  passed: boolean,
  figures: Figures = {},
): CheckedForLive {
  return { check, passed, stops: false, figures, message: wordCheck(check, passed, figures) };
}
