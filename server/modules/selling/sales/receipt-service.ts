import type { Actor } from "../../../contract/pos/actor.ts";
import type { Need } from "../../../contract/pos/rights.ts";
import type { PrintQuery, Receipt, RevealInput, Sale } from "../../../contract/pos/sales.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base } from "../../module.ts";
import type { ShopService } from "../../shop/shop/index.ts";
import { requireRights } from "../../shop/staff/index.ts";
import { noteGranted, recordPrint } from "../print-records/index.ts";
import { describeSale } from "./sale-rights.ts";
import type { SaleService } from "./sale-service.ts";

interface ReceiptServiceDeps extends Pick<Base, "transactor" | "clock"> {
  shop: ShopService;
  sales: SaleService;
}

/** Prints sales, and reveals their hidden details. */
export class ReceiptService {
  readonly #deps: ReceiptServiceDeps;

  constructor(deps: ReceiptServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Prints a sale; a reprint is a COPY (rules#receipt-copies). The seller's first print of a sale
   * without hidden details needs no permission. All other prints need the reprint permission, and
   * the reveal permission if details are hidden. A print with a `printId` counts as soon as it
   * starts (rules#receipt-print-outcome).
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

  /**
   * Returns the sale with its hidden details, and records it in the audit trail
   * (rules#redemption-shown-to-seller). Records nothing if no details were hidden.
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

  /** @returns number of the copy; 0 for the original */
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
      const facts = describeSale(sale);
      await requireRights(tx, seller, { needs, subject: saleId, request, approvalId, facts, at });
      await noteGranted(tx, seller, print, needs);
      const action = number === 0 ? "receipt.print" : "receipt.reprint";
      const detail = { copy: number, ...facts, environment };
      await recordAudit(tx, { accountId, staffId, action, subject: saleId, detail, at });
      return number;
    });
  }
}

function isHiddenFrom({ lines }: Sale): boolean {
  return lines.some(({ details }) => details === "HIDDEN");
}
