import type { Translate } from "../../../lib/i18n.ts";
import { type Question, troubleOf } from "../../../lib/query-trouble.ts";
import type { StepControl } from "./step-control.ts";

/** What a step shows is asked for at the gateway: what is known of the answer. */
export interface Asked extends Question {
  readonly isPending: boolean;
  readonly fetchStatus: "fetching" | "paused" | "idle";
  readonly failureCount: number;
}

/** The gateway did not answer, or refused, and nothing is known from before. */
export function hasFailed(asked: Asked): boolean {
  return troubleOf(asked) !== undefined;
}

/** The first answer is on its way, and nothing says yet that it does not come. */
export function isAwaited({ isPending, fetchStatus, failureCount }: Asked): boolean {
  return isPending && fetchStatus === "fetching" && failureCount === 0;
}

/** Then the one next thing is to ask again. */
export function askingAgain(t: Translate): Pick<StepControl, "next" | "asksAgain"> {
  return { next: { label: t("common.retry"), ready: true }, asksAgain: true };
}
