import type { EsimDestinations, PosEsim } from "../../../contract/pos/esims.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Db } from "../../../db/database.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import { CounterCatalog } from "../../catalog/counter-catalog/index.ts";
import { type EsimService, findEsim } from "../../purchases/esims/index.ts";
import { findPurchases } from "../../purchases/purchases/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { findSalesByTransaction, type SalesScope } from "../sales/index.ts";

interface EsimCounterServiceDeps {
  db: Db;
  catalog: CatalogService;
  esims: EsimService;
  shop: ShopService;
}

export class EsimCounterService {
  readonly #deps: EsimCounterServiceDeps;

  constructor(deps: EsimCounterServiceDeps) {
    this.#deps = deps;
  }

  async listDestinations(scope: SalesScope): Promise<EsimDestinations> {
    const { catalog, shop } = this.#deps;
    const unit = await shop.get(scope.accountId);
    return CounterCatalog.of(await catalog.getSnapshot(scope)).listDestinations(unit);
  }

  /**
   * @throws Problem ICCID_NOT_FOUND if the shop did not sell the eSIM, SYSTEM_UNAVAILABLE if the
   * provider does not respond
   */
  async find(scope: SalesScope, iccid: string): Promise<PosEsim> {
    const { db, esims } = this.#deps;
    const known = await findEsim(db, scope, iccid);
    const [purchase] = known ? await findPurchases(db, scope, [known.transactionId]) : [];
    if (!purchase || purchase.transaction.training !== scope.training) {
      throw new Problem("ICCID_NOT_FOUND", `The eSIM ${iccid} was not sold here.`, {
        iccid: "was not sold here",
      });
    }
    const { transaction, offer } = purchase;
    const { transactionId } = transaction;
    const sale = (await findSalesByTransaction(db, scope, [transactionId])).get(transactionId);
    const { plans, firstInstalledAt } = await esims.getPlans(scope, iccid);
    return {
      iccid,
      brand: offer.brand,
      brandName: offer.brandName,
      offerId: offer.offerId,
      title: offer.shortNotes,
      country: offer.country,
      soldAt: toTimestamp(transaction.createdAt),
      ...(sale && { sale }),
      firstInstalledAt: firstInstalledAt === undefined ? "" : toTimestamp(firstInstalledAt),
      plans,
    };
  }
}
