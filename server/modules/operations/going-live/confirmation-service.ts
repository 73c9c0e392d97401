import type { Author } from "../../../contract/pos/actor.ts";
import type {
  LivePriceChanges,
  OwnerConfirmation,
} from "../../../contract/pos/till-environment.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import { compareWithSuggested, type PriceReader } from "../../catalog/prices/index.ts";
import type { UpstreamService } from "../../providers/upstream/index.ts";
import type { SettingsService } from "../../shop/settings/index.ts";
import { writeNote } from "./going-live-store.ts";

interface ConfirmationServiceDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  catalog: CatalogService;
  prices: Pick<PriceReader, "read">;
  upstream: Pick<UpstreamService, "getStatus">;
  settings: Pick<SettingsService, "getOfAccount">;
}

/** Stores confirmations that only an owner can give, with the state that the owner has seen. */
export class ConfirmationService {
  readonly #deps: ConfirmationServiceDeps;

  constructor(deps: ConfirmationServiceDeps) {
    this.#deps = deps;
  }

  async confirm(
    { accountId, staffId }: Author & { staffId: string },
    what: OwnerConfirmation,
  ): Promise<void> {
    const { transactor, clock, settings, upstream } = this.#deps;
    const { stored } = await upstream.getStatus({ accountId, environment: "live" });
    const { timeZone } = await settings.getOfAccount(accountId);
    await transactor.transact(accountId, async (tx) => {
      const at = clock.now();
      const noted = { at, staffId };
      switch (what) {
        case "TIME_ZONE_CONFIRMED":
          await writeNote(tx, accountId, what, { ...noted, detail: { timeZone } });
          break;
        case "PRICES_SEEN": {
          const { version } = await this.#readPrices(tx, accountId);
          await writeNote(tx, accountId, what, { ...noted, detail: { version } });
          break;
        }
        case "SYNC_READ": {
          const baseUrl = stored?.baseUrl ?? "";
          await writeNote(tx, accountId, what, { ...noted, detail: { baseUrl } });
          break;
        }
        default:
          await writeNote(tx, accountId, what, { ...noted, detail: {} });
      }
      const entry = { accountId, staffId, action: "till.checked" as const, subject: accountId };
      await recordAudit(tx, { ...entry, detail: { what }, at });
    });
  }

  listPriceChanges(accountId: string): Promise<LivePriceChanges> {
    return compareWithSuggested(this.#deps, { accountId, environment: "live" });
  }

  #readPrices(tx: Tx, accountId: string) {
    const { prices, clock } = this.#deps;
    return prices.read(tx, { accountId, environment: "live" }, clock.now());
  }
}
