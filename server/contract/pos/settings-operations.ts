import { defineOperation } from "./operation.ts";
import { ClockInput, ClockState, PosSettings } from "./settings.ts";

/** What an owner switches. */
export const settingsOperations = {
  get: defineOperation({
    method: "GET",
    path: "/settings",
    answer: PosSettings,
    access: "owner",
    refusals: [],
  }),
  change: defineOperation({
    method: "PUT",
    path: "/settings",
    body: PosSettings,
    answer: PosSettings,
    access: "owner",
    refusals: [],
  }),
  getClock: defineOperation({
    method: "GET",
    path: "/clock",
    answer: ClockState,
    access: "owner",
    refusals: [],
  }),
  /** From then on business time starts at the newest record. */
  acceptClock: defineOperation({
    method: "POST",
    path: "/clock",
    body: ClockInput,
    answer: ClockState,
    access: "owner",
    asksPin: "always",
    refusals: [],
  }),
};
