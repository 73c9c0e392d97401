import type { TimelineEvent } from "../../../server/contract/pos/transaction-office.ts";

export function eventKey({ what, status, copy, outcome }: TimelineEvent) {
  switch (what) {
    case "STATE":
      return `STATE.${status ?? "ACCEPTED"}` as const;
    case "ESIM_REFUND":
      if (status === "DONE" || status === "FAILED") {
        return `ESIM_REFUND.${status}` as const;
      }
      return "ESIM_REFUND.BEGUN" as const;
    case "PRINTED":
      return (copy ?? 0) > 0 ? ("PRINTED.COPY" as const) : ("PRINTED.FIRST" as const);
    case "SETTLED":
      return outcome === "delivered" ? ("SETTLED.DELIVERED" as const) : ("SETTLED.NOT" as const);
    default:
      return what;
  }
}
