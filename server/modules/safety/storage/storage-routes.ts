import { type PosStorage, storageOperations } from "../../../contract/pos/storage.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { StorageService, StorageState } from "./storage-service.ts";

/**
 * Registers the storage state. Everyone sees whether sales are blocked; owners also see the
 * details.
 */
export function registerStorageRoutes(app: App, storage: StorageService): void {
  handle(app, storageOperations.get, async ({ actor }) =>
    toPosStorage(await storage.getState(), actor.role === "owner"),
  );

  handle(app, storageOperations.settleMissing, async ({ actor }) => {
    await storage.settleMissing(actor.accountId, actor.staffId);
    return toPosStorage(await storage.getState(), true);
  });
}

function toPosStorage({ fault, findings }: StorageState, isOwner: boolean): PosStorage {
  const answer: PosStorage = {
    ...(fault !== undefined && { fault: fault === "the disk is full" ? "FULL" : "OTHER" }),
  };
  for (const finding of isOwner ? findings : []) {
    if (finding.kind === "BOOKS") {
      answer.booksBroken = { foundAt: toTimestamp(finding.foundAt) };
    } else {
      const { transactions, commits: changes, since, until } = finding.detail;
      answer.missing = {
        transactions,
        changes,
        since: toTimestamp(since),
        until: toTimestamp(until),
      };
    }
  }
  return answer;
}
