import type { PrintQuery, Receipt } from "../../contract/pos/sales.ts";
import type { Transactor } from "../../db/database.ts";
import { type Clock, toTimestamp } from "../../lib/clock.ts";
import { recordAudit } from "../audit-trail/index.ts";
import type { ShopService } from "../shop/index.ts";
import { requireRights } from "../staff/index.ts";
import { recordPrint } from "./print-store.ts";
import type { Seller } from "./sale-rights.ts";
import type { SaleService } from "./sale-service.ts";

interface Parts {
  transactor: Transactor;
  clock: Clock;
  shop: ShopService;
  sales: SaleService;
}

/** What is printed of a sale, and who printed it how often. */
export class ReceiptService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Records a print of the receipt and answers with what is on it; a reprint is a COPY. Whoever sold
   * it prints it once without the right to print again; everybody else sees a PIN by that right only.
   * @throws Problem NOT_FOUND, APPROVAL_REQUIRED for a copy, or another's sale, without the right
   */
  async print(seller: Seller, saleId: string, query: PrintQuery = {}): Promise<Receipt> {
    const { clock, sales, shop } = this.#parts;
    const at = clock.now();
    const { staff } = await sales.get(seller, saleId);
    const isOwn = staff.staffId === seller.staffId;
    const copyNumber = await this.#record(seller, { saleId, isOwn }, query, at);
    const { name, language: ofShop, timeZone, receipt } = await shop.get(seller.accountId);
    const language = query.language ?? ofShop;
    return {
      shopName: name,
      shopAddress: receipt.address,
      support: receipt.support,
      language,
      timeZone,
      copy: copyNumber > 0,
      copyNumber,
      printedAt: toTimestamp(at),
      printedBy: seller.name,
      training: seller.training,
      sale: await sales.getForPrint(seller, saleId, language),
    };
  }

  /** @returns the number of the copy, 0 for the original */
  #record(
    seller: Seller,
    { saleId, isOwn }: { saleId: string; isOwn: boolean },
    query: PrintQuery,
    at: number,
  ): Promise<number> {
    return this.#parts.transactor.transact(async (tx) => {
      const number = await recordPrint(tx, seller, { saleId, staffId: seller.staffId, at });
      if (number > 0 || !isOwn) {
        await requireRights(tx, seller, {
          needs: [{ right: "reprint" }],
          subject: saleId,
          request: { saleId, ...query },
          approvalId: query.approvalId,
          at,
        });
      }
      if (number > 0) {
        await recordAudit(tx, {
          accountId: seller.accountId,
          staffId: seller.staffId,
          action: "receipt.reprint",
          subject: saleId,
          detail: { copy: number, environment: seller.environment },
          at,
        });
      }
      return number;
    });
  }
}
