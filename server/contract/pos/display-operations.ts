import { DisplayParams, DisplayShown, DisplayView } from "./displays.ts";
import { defineOperation, defineStream } from "./operation.ts";

/** The till says what the customer sees; any browser with its code shows it. */
export const displayOperations = {
  show: defineOperation({
    method: "PUT",
    path: "/displays/:code",
    params: DisplayParams,
    body: DisplayView,
    answer: DisplayShown,
    access: "seller",
    refusals: ["FORBIDDEN", "RATE_LIMITED"],
  }),
  watch: defineStream({
    method: "GET",
    path: "/displays/:code/events",
    params: DisplayParams,
    events: { view: DisplayView },
    access: "display-code",
    refusals: ["NOT_FOUND", "RATE_LIMITED"],
  }),
};
