import type { Base, Module } from "../../module.ts";
import { KeyService } from "./key-service.ts";

export { type ApiKey, KeyService, keyNames } from "./key-service.ts";

export function createKeysModule(deps: Base) {
  // A key expires by the machine's clock, also in a sandbox.
  const keys = new KeyService({ ...deps, clock: deps.machineClock });
  return {
    services: { keys },
    release: () => keys.settle(),
    pos: async (app) => (await import("./key-routes.ts")).registerKeyRoutes(app, keys),
  } satisfies Module;
}
