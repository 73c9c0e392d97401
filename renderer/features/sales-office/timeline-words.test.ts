import { expect, it } from "vitest";
import type { TimelineEvent } from "../../../server/contract/pos/transaction-office.ts";
import { eventKey } from "./components/transaction-view.tsx";

const at = "2026-01-15T09:30:00.000Z";

it.each<[Omit<TimelineEvent, "at">, string]>([
  [{ what: "STATE", status: "FAILED" }, "STATE.FAILED"],
  [{ what: "STATE" }, "STATE.ACCEPTED"],
  [{ what: "PRINTED" }, "PRINTED.FIRST"],
  [{ what: "PRINTED", copy: 0 }, "PRINTED.FIRST"],
  [{ what: "PRINTED", copy: 2 }, "PRINTED.COPY"],
  [{ what: "ESIM_REFUND", status: "IN_PROGRESS" }, "ESIM_REFUND.BEGUN"],
  [{ what: "ESIM_REFUND", status: "DONE" }, "ESIM_REFUND.DONE"],
  [{ what: "ESIM_REFUND", status: "FAILED" }, "ESIM_REFUND.FAILED"],
  [{ what: "SETTLED", outcome: "delivered" }, "SETTLED.DELIVERED"],
  [{ what: "SETTLED", outcome: "not-delivered" }, "SETTLED.NOT"],
  [{ what: "MONEY_BACK", amount: 1 }, "MONEY_BACK"],
])("the text key of the event %o is %s", (event, key) => {
  expect(eventKey({ at, ...event })).toBe(key);
});
