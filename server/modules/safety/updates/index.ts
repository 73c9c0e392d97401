export { adviceAfterFailure } from "./failure-advice.ts";
export { findWayBack, type GoneBack, goBackIfUntouched } from "./going-back.ts";
export type { Installation } from "./install-command.ts";
export { createUpdatesModule } from "./module.ts";
export {
  FEED_KEY_FILE,
  type NewerVersion,
  readFeedKey,
  requireFresh,
  requireSigned,
  SIGNATURE_SUFFIX,
  signFeed,
} from "./newer-version.ts";
export type { UpdateService } from "./update-service.ts";
export { noteMigration } from "./version-store.ts";
