import type { Base, Module } from "../../module.ts";
import { type UpdateDeps, UpdateService } from "./update-service.ts";

export { adviceAfterFailure, findWayBack, type GoneBack, goBackIfUntouched } from "./going-back.ts";
export {
  FEED_KEY_FILE,
  type Installation,
  type NewerVersion,
  readFeedKey,
  requireFresh,
  requireSigned,
  SIGNATURE_SUFFIX,
  signFeed,
} from "./newer-version.ts";
export type { UpdateService } from "./update-service.ts";
export { noteMigration } from "./version-store.ts";

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
