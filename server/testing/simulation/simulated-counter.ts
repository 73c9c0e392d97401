import type { SaleLineInput } from "../../contract/pos/sale-lines.ts";
import type { CustomerRefundInput, Sale, SaleInput } from "../../contract/pos/sales.ts";
import { fillBasket, payFor } from "./basket.ts";
import type { Random } from "./random.ts";
import { SimulatedDrawers } from "./simulated-drawers.ts";
import type { SimulatedShop } from "./simulated-shop.ts";
import { SimulatedTill } from "./simulated-till.ts";
import type { TemplateShop, Worker } from "./template-shop.ts";

export interface SentSale {
  worker: Worker;
  input: SaleInput;
  answered: Sale | undefined;
}

interface SentCustomerRefund {
  worker: Worker;
  saleId: string;
  input: CustomerRefundInput;
}

interface Held {
  worker: Worker;
  heldSaleId: string;
  lines: SaleLineInput[];
}

interface SimulatedCounterDeps {
  random: Random;
  shop: SimulatedShop;
  template: Pick<TemplateShop, "people" | "prices">;
  note: (line: string) => void;
}

/**
 * Two people at one till: an owner with all permissions, and a clerk with a daily limit. Requests
 * without a response are repeated with the same ids, as at a till, or dropped.
 */
export class SimulatedCounter {
  readonly #deps: SimulatedCounterDeps;
  readonly #till: SimulatedTill;
  readonly drawers: SimulatedDrawers;
  readonly sales: SentSale[] = [];
  readonly faults: string[] = [];
  readonly #customerRefunds: SentCustomerRefund[] = [];
  #held: Held[] = [];

  constructor(deps: SimulatedCounterDeps) {
    this.#deps = deps;
    this.#till = new SimulatedTill(deps);
    this.drawers = new SimulatedDrawers({ ...deps, till: this.#till });
  }

  get clerkId(): string | undefined {
    return this.#deps.template.people.find(({ role }) => role === "clerk")?.staffId;
  }

  async act(): Promise<void> {
    const { drawers } = this;
    const actions = {
      sell: () => this.#sell(),
      sellAgain: () => this.#sellAgain(),
      customerRefund: () => this.#customerRefund(),
      customerRefundAgain: () => this.#customerRefundAgain(),
      hold: () => this.#hold(),
      resume: () => this.#resume(),
      move: () => drawers.move(),
      close: () => drawers.close(),
      closeAgain: () => drawers.closeAgain(),
    };
    const action = this.#deps.random.weighted({
      sell: 7,
      sellAgain: 2,
      customerRefund: 3,
      customerRefundAgain: 1,
      hold: 1,
      resume: 1,
      move: 1,
      close: 1,
      closeAgain: 1,
    });
    await actions[action]();
  }

  async #sell(): Promise<void> {
    const { random, template } = this.#deps;
    const worker = this.#till.anyWorker();
    const saleId = this.#till.newId();
    const discounts = worker.role === "owner";
    const basket = fillBasket(random, template.prices, { saleId, discounts });
    await this.#send({ worker, input: payFor(random, saleId, basket), answered: undefined });
  }

  /**
   * Repeats a sale, as a till does that received no response, or sends a different sale with the
   * same id.
   */
  async #sellAgain(): Promise<void> {
    const { random } = this.#deps;
    const sent = this.#till.pick(this.sales);
    if (!sent) return;
    const isOther = random.chance(0.2);
    const input = isOther ? { ...sent.input, tenders: [] } : sent.input;
    const said = await this.#till.ask(`sale ${input.saleId} again`, (context) =>
      context.sales.sell(sent.worker, input),
    );
    if (isOther && said && sent.answered && sent.input.tenders.length > 0) {
      this.faults.push(`${input.saleId} was sold as another sale`);
    } else if (!isOther && said) this.#noteAnswer(sent, said);
  }

  async #customerRefund(): Promise<void> {
    const { shop } = this.#deps;
    const sent = this.#till.pick(this.sales.filter(({ answered }) => answered));
    if (!sent) return;
    const { worker, input } = sent;
    const sale = await shop.attempt((context) => context.sales.get(worker, input.saleId));
    if (!sale || !("done" in sale)) return;
    const owed = sale.done.lines.filter((line) => {
      return line.outcome === "NOT_DELIVERED" && !line.refunded;
    });
    if (owed.length === 0) return;
    const lines = owed.map(({ transactionId }) => transactionId);
    const customerRefund = { customerRefundId: this.#till.newId(), lines, kind: "CASH" as const };
    const asked = { worker, saleId: input.saleId, input: customerRefund };
    this.#customerRefunds.push(asked);
    await this.#handBack(asked);
  }

  async #customerRefundAgain(): Promise<void> {
    const asked = this.#till.pick(this.#customerRefunds);
    if (asked) await this.#handBack(asked);
  }

  async #hold(): Promise<void> {
    const { random, template } = this.#deps;
    const worker = this.#till.anyWorker();
    const heldSaleId = this.#till.newId();
    const lines = fillBasket(random, template.prices, { saleId: heldSaleId, discounts: false });
    const basket = lines.map(({ transactionId: _id, price, ...input }) => ({
      input,
      shown: {
        brand: "",
        brandName: "",
        brandColor: "",
        country: "",
        title: "",
        recipientFormatted: "",
        price,
        priceCurrency: "GTQ",
        priceCurrencyDivisor: 100,
      },
    }));
    this.#held.push({ worker, heldSaleId, lines });
    await this.#till.ask(`hold ${heldSaleId}`, (context) =>
      context.heldSales.hold(worker, { heldSaleId, label: "waits", lines: basket }),
    );
  }

  /**
   * Sends two requests at once to resume a held sale. Only one receives the sale, which is then
   * sold.
   */
  async #resume(): Promise<void> {
    const { random, shop } = this.#deps;
    const held = this.#till.pick(this.#held);
    if (!held) return;
    const { heldSaleId, worker, lines } = held;
    const taken = await shop.attempt((context) =>
      Promise.allSettled(
        [this.#till.newId(), this.#till.newId()].map((resumeId) =>
          context.heldSales.resume(worker, heldSaleId, resumeId),
        ),
      ),
    );
    if (!taken || !("done" in taken)) return;
    const got = taken.done.filter(({ status }) => status === "fulfilled").length;
    if (got > 1) this.faults.push(`the basket ${heldSaleId} was taken up twice`);
    if (got === 0) return;
    this.#held = this.#held.filter((one) => one !== held);
    const input = payFor(random, heldSaleId, lines);
    await this.#send({ worker, input, answered: undefined });
  }

  async #send(sent: SentSale): Promise<void> {
    this.sales.push(sent);
    if ((await this.#try(sent)) === "SHIFT_REQUIRED") {
      await this.drawers.open(sent.worker);
      if (this.#deps.shop.isRunning) await this.#try(sent);
    }
  }

  /** @returns error code of the refusal, if any */
  async #try(sent: SentSale): Promise<string | undefined> {
    const { worker, input } = sent;
    const what = `sale ${input.saleId} by ${worker.name} in ${worker.environment}`;
    const answer = await this.#till.attempt(what, (context) => context.sales.sell(worker, input));
    if (answer && "done" in answer) this.#noteAnswer(sent, answer.done);
    return answer && "refused" in answer ? answer.refused : undefined;
  }

  /** Compares repeated answers to the same sale. Only the outcomes of lines may differ. */
  #noteAnswer(sent: SentSale, sale: Sale): void {
    const { answered, input } = sent;
    sent.answered ??= sale;
    if (answered && (answered.total !== sale.total || answered.saleNumber !== sale.saleNumber)) {
      this.faults.push(`${input.saleId} was answered in two versions`);
    }
  }

  async #handBack({ worker, saleId, input }: SentCustomerRefund): Promise<void> {
    await this.#till.ask(`customer-refund ${input.customerRefundId}`, (context) =>
      context.customerRefunds.refund(worker, saleId, input),
    );
  }
}
