import type { Actor } from "../../../contract/pos/actor.ts";
import type { RevealInput, Sale } from "../../../contract/pos/sales.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { requireRights } from "../../shop/staff/index.ts";
import { describeSale } from "./sale-rights.ts";
import type { SaleService } from "./sale-service.ts";

interface RevealServiceDeps {
  transactor: Transactor;
  clock: Clock;
  shop: ShopService;
  sales: SaleService;
}

/** Reveals hidden details, and records it in the audit trail (rules#redemption-shown-to-seller). */
export class RevealService {
  readonly #deps: RevealServiceDeps;

  constructor(deps: RevealServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the sale with all details. Records nothing if no details were hidden.
   * @throws Problem NOT_FOUND, APPROVAL_REQUIRED
   */
  async reveal(seller: Actor, saleId: string, input: RevealInput): Promise<Sale> {
    const { transactor, clock, sales, shop } = this.#deps;
    const sale = await sales.get(seller, saleId);
    const hidden = sale.lines.filter(({ details }) => details === "HIDDEN");
    if (hidden.length === 0) return sale;
    const facts = describeSale({ ...sale, lines: hidden });
    const { language } = await shop.get(seller.accountId);
    const needs = [{ right: "reveal" as const }, ...(await sales.needsToSee(seller, sale))];
    await transactor.transact(seller.accountId, async (tx) => {
      const at = clock.now();
      const { accountId, staffId, environment } = seller;
      await requireRights(tx, seller, {
        needs,
        subject: saleId,
        request: { reveal: saleId },
        approvalId: input.approvalId,
        facts,
        at,
      });
      const detail = { ...facts, environment };
      const action = "sale.reveal";
      await recordAudit(tx, { accountId, staffId, action, subject: saleId, detail, at });
    });
    return sales.getForPrint(seller, saleId, language);
  }
}
