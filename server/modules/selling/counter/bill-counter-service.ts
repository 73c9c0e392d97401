import type { PosBill, PosBillInput } from "../../../contract/pos/counter.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { CatalogService } from "../../catalog/catalog/index.ts";
import type { BillService } from "../../purchases/billpay/index.ts";

interface BillCounterServiceDeps {
  catalog: CatalogService;
  bills: BillService;
}

export class BillCounterService {
  readonly #deps: BillCounterServiceDeps;

  constructor(deps: BillCounterServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Retrieves the due amount, with which a later payment is compared (rules#bill-exact-payment).
   * @throws Problem OFFER_NOT_FOUND, OFFER_DISABLED, REQUIRED_FIELD_MISSING naming the field,
   * BILL_NOT_FOUND, SYSTEM_UNAVAILABLE if the provider does not respond
   */
  async retrieve(scope: Scope, { offerId, fields }: PosBillInput): Promise<PosBill> {
    const { catalog, bills } = this.#deps;
    const { priceType } = await catalog.getOfferForSale(scope, "BILL_PAY", offerId);
    const twice = fields.findIndex(
      ({ key }, index) => fields.findIndex((field) => field.key === key) < index,
    );
    if (twice >= 0) {
      throw new Problem("INVALID_REQUEST", "A field is given twice.", {
        [`fields.${twice}.key`]: "is given already",
      });
    }
    const given = Object.fromEntries(fields.map(({ key, value }) => [key, value]));
    const bill = await bills.retrieve(scope, offerId, given);
    return {
      offerId,
      ...(priceType === "RANGE" && { value: { type: "ZEND" as const, value: bill.send } }),
      send: bill.send,
      sendCurrency: bill.sendCurrency,
      sendCurrencyDivisor: bill.sendCurrencyDivisor,
      price: bill.price + bill.priceFee,
      priceFee: bill.priceFee,
      priceCurrency: bill.priceCurrency,
      priceCurrencyDivisor: bill.priceCurrencyDivisor,
      retrievedAt: bill.createdAt,
    };
  }
}
