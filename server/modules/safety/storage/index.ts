import type { PosStorage } from "../../../contract/pos/storage.ts";
import type { WriteHealth } from "../../../db/write-health.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { Base, Module } from "../../module.ts";
import { StorageService, type StorageState } from "./storage-service.ts";

export { noteMissing, recordLost, StorageService, type StorageState } from "./storage-service.ts";

type StorageModuleDeps = Base & {
  background: ConstructorParameters<typeof StorageService>[0]["background"];
  health: WriteHealth;
  /** Whether each start audits the books; default is true. */
  auditAtStart?: boolean;
};

export function createStorageModule({ auditAtStart = true, ...deps }: StorageModuleDeps) {
  const storage = new StorageService(deps);
  return {
    services: { storage },
    pos: (app) => registerStorageRoutes(app, storage),
    start: () => storage.start({ audit: auditAtStart }),
    stop: () => storage.stop(),
    release: () => storage.idle(),
  } satisfies Module;
}

/**
 * Registers the storage state. Everyone sees whether sales are blocked; owners also see the
 * details.
 */
async function registerStorageRoutes(app: App, storage: StorageService): Promise<void> {
  const { storageOperations } = await import("../../../contract/pos/storage.ts");
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
