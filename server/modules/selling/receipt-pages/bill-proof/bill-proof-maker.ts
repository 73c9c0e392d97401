import type { SaleLine } from "../../../../contract/pos/sale-lines.ts";
import type { Sale } from "../../../../contract/pos/sales.ts";
import type { Language } from "../../../../contract/pos/setup.ts";
import type { Db } from "../../../../db/database.ts";
import type { Clock } from "../../../../lib/clock.ts";
import { findLogoPicture, type Shop } from "../../../shop/shop/index.ts";
import type { BillProofOrder } from "./bill-proof-pdf.ts";

/** Draws documents on a thread of its own. */
export interface BillProofThread {
  run(task: "drawBillProof", order: BillProofOrder): Promise<Uint8Array>;
}

export interface BillProofDeps {
  db: Db;
  clock: Clock;
  background: BillProofThread;
  config: { resourcesDir: string };
}

/** So many are drawn and waited for at once, by customers; each takes a good part of a second. */
const MOST_WAITING = 4;

/** What a proof is of. */
interface About {
  accountId: string;
  shop: Shop;
  sale: Sale;
  line: SaleLine;
  language: Language;
}

/** Has proofs of paid bills drawn, one after another and away from the gateway's own thread. */
export class BillProofMaker {
  readonly #deps: BillProofDeps;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(deps: BillProofDeps) {
    this.#deps = deps;
  }

  /** Whether a customer may ask for another now: a customer who is refused can ask again, and a mail waits. */
  get isFree(): boolean {
    return this.#waiting < MOST_WAITING;
  }

  /** @returns the file of the document */
  async draw(about: About): Promise<Uint8Array> {
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

  async #draw({ accountId, shop, sale, line, language }: About): Promise<Uint8Array> {
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

/** Whether a line is a bill that was paid. */
export function isPaidBill({ productType, outcome }: SaleLine): boolean {
  return productType === "BILL_PAY" && outcome === "DELIVERED";
}

/** Numbers alone: a name is seen by programs that take few letters. */
export function proofName({ saleNumber }: Sale, { position }: SaleLine): string {
  return `receipt-${saleNumber}-bill-${position + 1}.pdf`;
}
