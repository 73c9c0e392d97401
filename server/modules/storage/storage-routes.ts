import { PosStorage } from "../../contract/pos/storage.ts";
import { type App, answers, cashierOf } from "../../http/app-types.ts";
import { requireOwner, requireStaff } from "../../http/staff-guard.ts";
import { toTimestamp } from "../../lib/clock.ts";
import type { StorageService, StorageState } from "./storage-service.ts";

/** What a till tells of the database: to everybody that nothing can be sold, the rest to an owner. */
export function registerStorageRoutes(app: App, storage: StorageService): void {
  app.get(
    "/storage",
    { onRequest: requireStaff, schema: { response: answers(PosStorage) } },
    async (request) => {
      const state = await storage.getState();
      return toPosStorage(state, cashierOf(request).role === "owner");
    },
  );

  app.post(
    "/storage/missing/seen",
    { onRequest: requireOwner, schema: { response: answers(PosStorage) } },
    async (request) => {
      const { accountId, staffId } = cashierOf(request);
      await storage.settleMissing(accountId, staffId);
      return toPosStorage(await storage.getState(), true);
    },
  );
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
