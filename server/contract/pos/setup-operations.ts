import { defineOperation } from "./operation.ts";
import { PosStatus, SetupCurrencies, SetupInput } from "./setup.ts";
import { PosSession } from "./staff.ts";

/** What the till may know before a sign-in, and the first run. */
export const setupOperations = {
  getStatus: defineOperation({
    method: "GET",
    path: "/status",
    answer: PosStatus,
    access: "anyone",
    refusals: [],
  }),
  listCurrencies: defineOperation({
    method: "GET",
    path: "/setup/currencies",
    answer: SetupCurrencies,
    access: "anyone",
    refusals: [],
  }),
  /** On the machine that the gateway runs on. */
  setUp: defineOperation({
    method: "POST",
    path: "/setup",
    body: SetupInput,
    answer: PosSession,
    access: "anyone",
    refusals: ["FORBIDDEN", "ALREADY_SET_UP", "PIN_WEAK"],
  }),
};
