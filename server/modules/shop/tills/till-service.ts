import type { Author } from "../../../contract/pos/actor.ts";
import { tidyName } from "../../../contract/pos/name.ts";
import type { Till } from "../../../contract/pos/tills.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Db } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { type Clock, toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { listTills, renameTill, type TillRow } from "./till-store.ts";

interface TillServiceDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
}

/** The tills that sold, and what an owner calls them. */
export class TillService {
  readonly #deps: TillServiceDeps;

  constructor(deps: TillServiceDeps) {
    this.#deps = deps;
  }

  /** @param device the one that asks */
  async list(accountId: string, device: string | undefined): Promise<Till[]> {
    const rows = await listTills(this.#deps.db, accountId);
    return rows.map((row) => viewTill(row, device));
  }

  /**
   * Calls a till something else; no sale changes by it.
   * @throws Problem NOT_FOUND, NAME_TAKEN
   */
  rename(
    author: Author,
    { tillId, name, device }: { tillId: string; name: string; device: string | undefined },
  ): Promise<Till> {
    const { transactor, clock } = this.#deps;
    const { accountId } = author;
    const wanted = tidyName(name);
    return transactor.transact(accountId, async (tx) => {
      const tills = await listTills(tx, accountId);
      const till = tills.find((one) => one.till_id === tillId);
      if (!till) throw new Problem("NOT_FOUND", "There is no such till.");
      const named = viewTill({ ...till, name: wanted }, device);
      if (till.name === wanted) return named;
      if (tills.some((one) => one.name.toLowerCase() === wanted.toLowerCase() && one !== till)) {
        throw new Problem("NAME_TAKEN", "Another till is called that.", { name: "is taken" });
      }
      await renameTill(tx, { accountId, tillId, name: wanted });
      await recordAudit(tx, {
        ...author,
        action: "till.name",
        subject: tillId,
        detail: { name: wanted, "name.was": till.name },
        at: clock.now(),
      });
      return named;
    });
  }
}

function viewTill(row: TillRow, device: string | undefined): Till {
  return {
    tillId: row.till_id,
    name: row.name,
    firstUsedAt: toTimestamp(row.first_used_at),
    isHere: row.device_hash === device,
  };
}
