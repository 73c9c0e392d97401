import { defineOperation, NOTHING } from "./operation.ts";
import {
  UpstreamComparison,
  UpstreamHook,
  UpstreamHookSecret,
  UpstreamInput,
  UpstreamState,
  UpstreamSyncReport,
} from "./upstream.ts";

/** The gateway that the live environment sells through. */
export const upstreamOperations = {
  get: defineOperation({
    method: "GET",
    path: "/upstream",
    answer: UpstreamState,
    access: "owner",
    refusals: [],
  }),
  connect: defineOperation({
    method: "PUT",
    path: "/upstream",
    body: UpstreamInput,
    answer: UpstreamComparison,
    access: "owner",
    refusals: [],
  }),
  disconnect: defineOperation({
    method: "DELETE",
    path: "/upstream",
    answer: UpstreamState,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  test: defineOperation({
    method: "POST",
    path: "/upstream/test",
    answer: UpstreamComparison,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  sync: defineOperation({
    method: "POST",
    path: "/upstream/sync",
    answer: UpstreamSyncReport,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  openHook: defineOperation({
    method: "POST",
    path: "/upstream/hook",
    answer: UpstreamHook,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  setHookSecret: defineOperation({
    method: "PUT",
    path: "/upstream/hook/secret",
    body: UpstreamHookSecret,
    answer: NOTHING,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
};
