import type { SaleLine } from "../../../../contract/pos/sale-lines.ts";
import type { Sale } from "../../../../contract/pos/sales.ts";
import type { Language } from "../../../../contract/pos/setup.ts";
import type { Base } from "../../../module.ts";
import { findLogoPicture, type Shop } from "../../../shop/shop/index.ts";
import type { BillProofOrder } from "./bill-proof-pdf.ts";

export interface BillProofThread {
  run(task: "drawBillProof", order: BillProofOrder): Promise<Uint8Array>;
}

export interface BillProofDeps extends Pick<Base, "db" | "clock"> {
  background: BillProofThread;
  config: { resourcesDir: string };
}

/** Small, because drawing a proof takes tenths of a second. */
const MAX_QUEUED = 4;

interface ProofSubject {
  accountId: string;
  shop: Shop;
  sale: Sale;
  line: SaleLine;
  language: Language;
}

/** Draws proofs one at a time, on a worker thread. */
export class BillProofMaker {
  readonly #deps: BillProofDeps;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(deps: BillProofDeps) {
    this.#deps = deps;
  }

  /** Whether a customer's request is accepted. Customers can try again later; mails always wait. */
  get isFree(): boolean {
    return this.#waiting < MAX_QUEUED;
  }

  async draw(about: ProofSubject): Promise<Uint8Array> {
    const drawn = this.#last.then(() => this.#draw(about));
    this.#waiting += 1;
    this.#last = drawn.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await drawn;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #draw({ accountId, shop, sale, line, language }: ProofSubject): Promise<Uint8Array> {
    const { db, clock, background, config } = this.#deps;
    const { saleNumber, environment, training, staff, currency, currencyDivisor } = sale;
    return background.run("drawBillProof", {
      resourcesDir: config.resourcesDir,
      language,
      timeZone: shop.timeZone,
      now: clock.now(),
      shop: { name: shop.name, lines: [...shop.receipt.address, ...shop.receipt.support] },
      logo: await findLogoPicture(db, accountId),
      sale: { saleNumber, environment, training, staff, currency, currencyDivisor },
      line,
    });
  }
}

export function isPaidBill({ productType, outcome }: SaleLine): boolean {
  return productType === "BILL_PAY" && outcome === "DELIVERED";
}

/** Returns a file name with only digits and basic letters, which all programs can show. */
export function proofName({ saleNumber }: Sale, { position }: SaleLine): string {
  return `receipt-${saleNumber}-bill-${position + 1}.pdf`;
}
