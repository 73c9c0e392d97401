import { reachOperations } from "../../../contract/pos/reach.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { Base, Module } from "../../module.ts";
import type { FindFirewall } from "./reach.ts";
import { ReachService } from "./reach-service.ts";

type Deps = Pick<Base, "clock"> & { findFirewall: FindFirewall };

export function createReachModule(deps: Deps) {
  const reach = new ReachService(deps);
  return {
    services: { reach },
    pos: (app) =>
      handle(app, reachOperations.look, async () => ({ listeners: await reach.look() })),
  } satisfies Module;
}
