import type { Translate } from "../../../lib/i18n.ts";
import { type Question, troubleOf } from "../../../lib/query-trouble.ts";
import type { StepControl } from "./step-control.ts";

/** What a step shows is queried from the gateway: the state of that query. */
export interface Asked extends Question {
  readonly isPending: boolean;
  readonly fetchStatus: "fetching" | "paused" | "idle";
  readonly failureCount: number;
}

/** The gateway did not answer, or refused, and there is no earlier answer. */
export function hasFailed(asked: Asked): boolean {
  return troubleOf(asked) !== undefined;
}

/** The first answer is under way, and nothing suggests that it will not come. */
export function isAwaited({ isPending, fetchStatus, failureCount }: Asked): boolean {
  return isPending && fetchStatus === "fetching" && failureCount === 0;
}

/** The next step is then to query again. */
export function askingAgain(t: Translate): Pick<StepControl, "next" | "asksAgain"> {
  return { next: { label: t("common.retry"), ready: true }, asksAgain: true };
}
