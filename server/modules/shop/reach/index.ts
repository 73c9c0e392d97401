import { reachOperations } from "../../../contract/pos/reach.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { Base, Module } from "../../module.ts";
import { type FindFirewall, ReachService } from "./reach-service.ts";

export { describeNetwork, entranceOf } from "./network.ts";
export { describeWays, type FindFirewall, findWays, type ReachService } from "./reach-service.ts";

type ReachModuleDeps = Pick<Base, "clock"> & { findFirewall: FindFirewall };

export function createReachModule(deps: ReachModuleDeps) {
  const reach = new ReachService(deps);
  return {
    services: { reach },
    pos: (app) =>
      handle(app, reachOperations.look, async () => ({ listeners: await reach.listListeners() })),
  } satisfies Module;
}
