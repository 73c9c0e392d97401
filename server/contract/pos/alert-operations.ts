import { Type } from "typebox";
import { AlertList, AlertMail, SilenceInput } from "./alerts.ts";
import { defineOperation, NOTHING } from "./operation.ts";

/** What waits for a person to see to it. */
export const alertOperations = {
  list: defineOperation({
    method: "GET",
    path: "/alerts",
    answer: AlertList,
    access: "staff",
    refusals: [],
  }),
  silence: defineOperation({
    method: "PUT",
    path: "/alerts/:alertId/silence",
    params: Type.Object({ alertId: Type.String({ minLength: 1, maxLength: 64 }) }),
    body: SilenceInput,
    answer: NOTHING,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  getMail: defineOperation({
    method: "GET",
    path: "/alert-mail",
    answer: AlertMail,
    access: "owner",
    refusals: [],
  }),
  setMail: defineOperation({
    method: "PUT",
    path: "/alert-mail",
    body: AlertMail,
    answer: AlertMail,
    access: "owner",
    refusals: [],
  }),
};
