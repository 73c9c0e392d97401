import type { Translate } from "../../../lib/i18n.ts";
import { type Question, troubleOf } from "../../../lib/query-trouble.ts";
import type { StepControl } from "./step-control.ts";

export interface Asked extends Question {
  readonly isPending: boolean;
  readonly fetchStatus: "fetching" | "paused" | "idle";
  readonly failureCount: number;
}

/** Returns whether the query failed without a cached answer. */
export function hasFailed(asked: Asked): boolean {
  return troubleOf(asked) !== undefined;
}

export function isAwaited({ isPending, fetchStatus, failureCount }: Asked): boolean {
  return isPending && fetchStatus === "fetching" && failureCount === 0;
}

export function askingAgain(t: Translate): Pick<StepControl, "next" | "asksAgain"> {
  return { next: { label: t("common.retry"), ready: true }, asksAgain: true };
}
