import type { Base, Module } from "../../module.ts";
import { type UpdateDeps, UpdateService } from "./update-service.ts";

type UpdatesModuleDeps = Base &
  Pick<UpdateDeps, "version" | "config" | "installation" | "undoneVersion">;

export function createUpdatesModule(deps: UpdatesModuleDeps) {
  const updates = new UpdateService(deps);
  return {
    services: { updates },
    start: () => updates.start(),
    stop: () => updates.stop(),
    release: () => updates.idle(),
  } satisfies Module;
}
