import {
  DisplayParams,
  DisplayShown,
  DisplayView,
  NumberAnswer,
  NumberAnswerInput,
  NumberAnswerParams,
  NumberAnswerTaken,
} from "./displays.ts";
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
  /** The customer's, from a screen that shows it. */
  answer: defineOperation({
    method: "POST",
    path: "/displays/:code/answers",
    params: DisplayParams,
    body: NumberAnswerInput,
    answer: NumberAnswerTaken,
    access: "display-code",
    refusals: ["NOT_FOUND", "RATE_LIMITED"],
  }),
  getAnswer: defineOperation({
    method: "GET",
    path: "/displays/:code/answers/:transactionId",
    params: NumberAnswerParams,
    answer: NumberAnswer,
    access: "seller",
    refusals: ["FORBIDDEN"],
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
