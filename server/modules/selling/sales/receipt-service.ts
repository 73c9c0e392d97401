import type { Actor } from "../../../contract/pos/actor.ts";
import type { Need } from "../../../contract/pos/rights.ts";
import type { PrintQuery, Receipt, Sale } from "../../../contract/pos/sales.ts";
import type { Transactor } from "../../../db/transactor.ts";
import { type Clock, toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { requireRights } from "../../shop/staff/index.ts";
import { noteGranted, recordPrint } from "../print-records/index.ts";
import { factsOfSale } from "./sale-rights.ts";
import type { SaleService } from "./sale-service.ts";

interface ReceiptServiceDeps {
  transactor: Transactor;
  clock: Clock;
  shop: ShopService;
  sales: SaleService;
}

/** What is printed of a sale, and who printed it how often. */
export class ReceiptService {
  readonly #deps: ReceiptServiceDeps;

  constructor(deps: ReceiptServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Records a print of the receipt and answers with what is on it; a reprint is a COPY
   * (rules#receipt-copies). Its seller prints it once without the right to print again, while they see
   * what is on it; any other print takes that right and is in the audit trail. Where a PIN or code is
   * on it that the printing person is not shown, it takes the right to reveal it as well.
   * With a `printId` it counts as printed once it begins (rules#receipt-print-outcome).
   * @throws Problem NOT_FOUND, APPROVAL_REQUIRED, ID_TAKEN
   */
  async print(seller: Actor, saleId: string, query: PrintQuery = {}): Promise<Receipt> {
    const { clock, sales, shop } = this.#deps;
    const at = clock.now();
    const sale = await sales.get(seller, saleId);
    const needs: Need[] = [{ right: "reprint" }];
    if (isHiddenFrom(sale)) needs.push({ right: "reveal" });
    needs.push(...(await sales.needsToSee(seller, sale)));
    const copyNumber = await this.#record(seller, { sale, needs }, query, at);
    const { name, language: ofShop, timeZone, receipt, logo } = await shop.get(seller.accountId);
    const language = query.language ?? ofShop;
    return {
      shopName: name,
      ...(logo && { logo }),
      shopAddress: receipt.address,
      support: receipt.support,
      language,
      timeZone,
      copy: copyNumber > 0,
      copyNumber,
      printedAt: toTimestamp(at),
      printedBy: seller.name,
      training: sale.training,
      sale: isHiddenFrom(sale)
        ? await sales.getForPrint(seller, saleId, language)
        : await sales.getSeenForPrint(seller, saleId, { language, at }),
    };
  }

  /** @returns the number of the copy, 0 for the original */
  #record(
    seller: Actor,
    { sale, needs }: { sale: Sale; needs: Need[] },
    query: PrintQuery,
    at: number,
  ): Promise<number> {
    return this.#deps.transactor.transact(seller.accountId, async (tx) => {
      const { saleId, staff } = sale;
      const { accountId, staffId, environment } = seller;
      const { approvalId, printId } = query;
      const print = { kind: "SALE", subject: saleId, printId, staffId, at } as const;
      const { copyNumber: number, granted } = await recordPrint(tx, seller, print);
      if (number === 0 && staff.staffId === staffId && !isHiddenFrom(sale)) return number;
      if (needs.every(({ right }) => granted.includes(right))) return number;
      const request = { saleId, ...query };
      const facts = factsOfSale(sale);
      await requireRights(tx, seller, { needs, subject: saleId, request, approvalId, facts, at });
      await noteGranted(tx, seller, print, needs);
      const action = number === 0 ? "receipt.print" : "receipt.reprint";
      const detail = { copy: number, ...facts, environment };
      await recordAudit(tx, { accountId, staffId, action, subject: saleId, detail, at });
      return number;
    });
  }
}

/** Whether a PIN or code of it is hidden from its reader. */
function isHiddenFrom({ lines }: Sale): boolean {
  return lines.some(({ details }) => details === "HIDDEN");
}
