export { adviceAfterFailure } from "./failure-advice.ts";
export {
  FEED_KEY_FILE,
  readFeedKey,
  requireFresh,
  requireSigned,
  SIGNATURE_SUFFIX,
  signFeed,
} from "./feed-signature.ts";
export { findWayBack, type GoneBack, goBackIfUntouched } from "./going-back.ts";
export type { Installation } from "./install-command.ts";
export { createUpdatesModule } from "./module.ts";
export type { NewerVersion } from "./newer-version.ts";
export type { UpdateService } from "./update-service.ts";
export { noteMigration } from "./version-store.ts";
