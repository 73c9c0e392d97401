import { defineOperation } from "./operation.ts";
import {
  RateInput,
  Readiness,
  ReadinessInput,
  ShopRate,
  TillEnvironment,
  TillEnvironmentInput,
  TillState,
} from "./till-environment.ts";

/** An owner takes the shop live and back. */
export const tillEnvironmentOperations = {
  get: defineOperation({
    method: "GET",
    path: "/till-environment",
    answer: TillState,
    access: "owner",
    refusals: [],
  }),
  /** The provider is asked, so it is no GET. */
  check: defineOperation({
    method: "POST",
    path: "/till-environment/checks",
    body: ReadinessInput,
    answer: Readiness,
    access: "owner",
    refusals: [],
  }),
  change: defineOperation({
    method: "PUT",
    path: "/till-environment",
    body: TillEnvironmentInput,
    answer: TillEnvironment,
    access: "owner",
    refusals: ["PIN_WRONG", "PIN_LOCKED", "PIN_KEY_MISSING", "TILL_NOT_READY"],
  }),
  setRate: defineOperation({
    method: "PUT",
    path: "/rate",
    body: RateInput,
    answer: ShopRate,
    access: "owner",
    refusals: [],
  }),
};
