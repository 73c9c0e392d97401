import { defineOperation, NOTHING } from "./operation.ts";
import {
  GatewayVerdict,
  UpstreamChange,
  UpstreamComparison,
  UpstreamHook,
  UpstreamHookInput,
  UpstreamHookSecret,
  UpstreamInput,
  UpstreamState,
  UpstreamSyncReport,
  VerdictInput,
} from "./upstream.ts";
import { AcceptanceInput, WaitingCatalog } from "./waiting-catalog.ts";

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
  change: defineOperation({
    method: "PATCH",
    path: "/upstream",
    body: UpstreamChange,
    answer: UpstreamState,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  /** It is asked, so it is no GET. */
  judge: defineOperation({
    method: "POST",
    path: "/upstream/verdict",
    body: VerdictInput,
    answer: GatewayVerdict,
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
  /** Fetches the catalog, and holds it aside where it differs. */
  fetchCatalog: defineOperation({
    method: "POST",
    path: "/upstream/catalog",
    answer: WaitingCatalog,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  getWaitingCatalog: defineOperation({
    method: "GET",
    path: "/upstream/catalog",
    answer: WaitingCatalog,
    access: "owner",
    refusals: [],
  }),
  acceptCatalog: defineOperation({
    method: "POST",
    path: "/upstream/catalog/acceptance",
    body: AcceptanceInput,
    answer: UpstreamSyncReport,
    access: "owner",
    refusals: ["NOT_FOUND"],
  }),
  openHook: defineOperation({
    method: "POST",
    path: "/upstream/hook",
    body: UpstreamHookInput,
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
