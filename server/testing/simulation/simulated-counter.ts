import type { Context } from "../../context.ts";
import { ENVIRONMENTS } from "../../contract/common.ts";
import type { CustomerRefundInput } from "../../contract/pos/customer-refunds.ts";
import type { SaleLineInput } from "../../contract/pos/sale-lines.ts";
import type { Sale, SaleInput } from "../../contract/pos/sales.ts";
import type { MovementInput, ZReport } from "../../contract/pos/shifts.ts";
import { fillBasket, payFor } from "./basket.ts";
import type { Random } from "./random.ts";
import type { SimulatedShop } from "./simulated-shop.ts";
import { type TemplateShop, type Worker, workerOf } from "./template-shop.ts";

/** What the till knows of a sale it sent. */
export interface SentSale {
  worker: Worker;
  input: SaleInput;
  /** What it was answered with first, if it was. */
  answered: Sale | undefined;
}

interface SentCustomerRefund {
  worker: Worker;
  saleId: string;
  input: CustomerRefundInput;
}

interface SentClosing {
  worker: Worker;
  shiftId: string;
  counted: number;
  answered: ZReport | undefined;
}

interface Held {
  worker: Worker;
  heldSaleId: string;
  lines: SaleLineInput[];
}

interface Deps {
  random: Random;
  shop: SimulatedShop;
  template: Pick<TemplateShop, "people" | "prices">;
  note: (line: string) => void;
}

/**
 * Two people who sell at one till: an owner, who may do everything, and a clerk with a limit for the
 * day. Whatever was not answered is sent again with the ids it had, as the till does, or never again.
 */
export class SimulatedCounter {
  readonly #deps: Deps;
  readonly sales: SentSale[] = [];
  readonly closings: SentClosing[] = [];
  readonly faults: string[] = [];
  readonly #customerRefunds: SentCustomerRefund[] = [];
  #held: Held[] = [];
  #made = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get clerkId(): string | undefined {
    return this.#deps.template.people.find(({ role }) => role === "clerk")?.staffId;
  }

  /** One thing that happens at a counter. */
  async act(): Promise<void> {
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
    await this[action]();
  }

  async sell(): Promise<void> {
    const { random, template } = this.#deps;
    const worker = this.#anyWorker();
    const saleId = this.#newId();
    const discounts = worker.role === "owner";
    const basket = fillBasket(random, template.prices, { saleId, discounts });
    await this.#send({ worker, input: payFor(random, saleId, basket), answered: undefined });
  }

  /** The same sale once more, as a till does that heard nothing; or another one under its id. */
  async sellAgain(): Promise<void> {
    const { random } = this.#deps;
    const sent = this.#pick(this.sales);
    if (!sent) return;
    const isOther = random.chance(0.2);
    const input = isOther ? { ...sent.input, tenders: [] } : sent.input;
    const said = await this.#ask(`sale ${input.saleId} again`, (context) =>
      context.sales.sell(sent.worker, input),
    );
    if (isOther && said && sent.answered && sent.input.tenders.length > 0) {
      this.faults.push(`${input.saleId} was sold as another sale`);
    } else if (!isOther && said) this.#noteAnswer(sent, said);
  }

  async customerRefund(): Promise<void> {
    const { shop } = this.#deps;
    const sent = this.#pick(this.sales.filter(({ answered }) => answered));
    if (!sent) return;
    const { worker, input } = sent;
    const sale = await shop.attempt((context) => context.sales.get(worker, input.saleId));
    if (!sale || !("done" in sale)) return;
    const owed = sale.done.lines.filter((line) => {
      return line.outcome === "NOT_DELIVERED" && !line.refunded;
    });
    if (owed.length === 0) return;
    const lines = owed.map(({ transactionId }) => transactionId);
    const customerRefund = { customerRefundId: this.#newId(), lines, kind: "CASH" as const };
    const asked = { worker, saleId: input.saleId, input: customerRefund };
    this.#customerRefunds.push(asked);
    await this.#handBack(asked);
  }

  async customerRefundAgain(): Promise<void> {
    const asked = this.#pick(this.#customerRefunds);
    if (asked) await this.#handBack(asked);
  }

  async hold(): Promise<void> {
    const { random, template } = this.#deps;
    const worker = this.#anyWorker();
    const heldSaleId = this.#newId();
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
    await this.#ask(`hold ${heldSaleId}`, (context) =>
      context.heldSales.hold(worker, { heldSaleId, label: "waits", lines: basket }),
    );
  }

  /** Taken up by the person who is there, asked for twice at once: one of them gets it, and sells it. */
  async resume(): Promise<void> {
    const { random, shop } = this.#deps;
    const held = this.#pick(this.#held);
    if (!held) return;
    const { heldSaleId, worker, lines } = held;
    const taken = await shop.attempt((context) =>
      Promise.allSettled(
        [this.#newId(), this.#newId()].map((resumeId) =>
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

  async move(): Promise<void> {
    const { random } = this.#deps;
    const worker = this.#anyWorker();
    const movements: MovementInput[] = [
      { movementId: this.#newId(), kind: "PAY_IN", amount: random.integer(1, 5_000), reason: "in" },
      { movementId: this.#newId(), kind: "PAY_OUT", amount: random.integer(1, 500), reason: "out" },
      { movementId: this.#newId(), kind: "NO_SALE", reason: "change" },
    ];
    const movement = random.pick(movements);
    const shiftId = await this.#shiftOf(worker);
    if (!shiftId) return;
    for (let time = 0; time < 2; time++) {
      await this.#ask(`${movement.kind} by ${worker.name}`, (context) =>
        context.shifts.move(worker, shiftId, movement),
      );
      if (!this.#deps.shop.isRunning) return;
    }
  }

  async close(): Promise<void> {
    const worker = this.#anyWorker();
    const shiftId = await this.#shiftOf(worker);
    if (shiftId) await this.#close(worker, shiftId);
  }

  async closeAgain(): Promise<void> {
    const closing = this.#pick(this.closings);
    if (closing) await this.#sendClosing(closing);
  }

  /** The end of the last day: the owner closes what is open. */
  async end(): Promise<void> {
    for (const { worker } of this.#everybody()) {
      const shiftId = await this.#shiftOf(worker);
      if (shiftId) await this.#close(worker, shiftId);
    }
  }

  /** Sells, and opens a shift first where that is what is missing. */
  async #send(sent: SentSale): Promise<void> {
    const { worker } = sent;
    const { shop } = this.#deps;
    this.sales.push(sent);
    if ((await this.#try(sent)) === "SHIFT_REQUIRED") {
      const shiftId = this.#newId();
      const float = this.#deps.random.integer(0, 20_000);
      await this.#ask(`shift of ${worker.name}`, (context) =>
        context.shifts.open(worker, { shiftId, float }),
      );
      if (shop.isRunning) await this.#try(sent);
    }
  }

  /** @returns which error it was refused with, if it was */
  async #try(sent: SentSale): Promise<string | undefined> {
    const { worker, input } = sent;
    const answer = await this.#deps.shop.attempt((context) => context.sales.sell(worker, input));
    this.#say(`sale ${input.saleId} by ${worker.name} in ${worker.environment}`, answer);
    if (answer && "done" in answer) this.#noteAnswer(sent, answer.done);
    return answer && "refused" in answer ? answer.refused : undefined;
  }

  /** What a sale is answered with is the same each time, but for what became of its lines. */
  #noteAnswer(sent: SentSale, sale: Sale): void {
    const { answered, input } = sent;
    sent.answered ??= sale;
    if (answered && (answered.total !== sale.total || answered.saleNumber !== sale.saleNumber)) {
      this.faults.push(`${input.saleId} was answered in two versions`);
    }
  }

  async #handBack({ worker, saleId, input }: SentCustomerRefund): Promise<void> {
    await this.#ask(`customer-refund ${input.customerRefundId}`, (context) =>
      context.customerRefunds.refund(worker, saleId, input),
    );
  }

  async #close(worker: Worker, shiftId: string): Promise<void> {
    const counted = this.#deps.random.integer(0, 50_000);
    const closing = { worker, shiftId, counted, answered: undefined };
    this.closings.push(closing);
    await this.#sendClosing(closing);
  }

  async #sendClosing(closing: SentClosing): Promise<void> {
    const { worker, shiftId, counted, answered } = closing;
    const leaveUnfinished = worker.role === "owner";
    const report = await this.#ask(`close ${shiftId}`, (context) =>
      context.zReports.close(worker, shiftId, { counted, leaveUnfinished }),
    );
    if (!report) return;
    closing.answered ??= report;
    if (answered && JSON.stringify(answered) !== JSON.stringify(report)) {
      this.faults.push(`the Z report ${report.zNumber} was answered in two versions`);
    }
  }

  async #shiftOf(worker: Worker): Promise<string | undefined> {
    const current = await this.#deps.shop.attempt((context) => context.shifts.findCurrent(worker));
    return current && "done" in current ? current.done.shift?.shiftId : undefined;
  }

  /** Asks for something and notes what came of it; undefined when it was refused, or nobody knows. */
  async #ask<T>(what: string, action: (context: Context) => Promise<T>): Promise<T | undefined> {
    const answer = await this.#deps.shop.attempt(action);
    this.#say(what, answer);
    return answer && "done" in answer ? answer.done : undefined;
  }

  #say(what: string, answer: { done: unknown } | { refused: string } | undefined): void {
    const outcome = answer && "refused" in answer ? answer.refused : "done";
    this.#deps.note(`${what}: ${answer ? outcome : "no answer"}`);
  }

  #everybody(): { worker: Worker }[] {
    const { people, accountId } = { ...this.#deps.template, ...this.#deps.shop.context };
    return ENVIRONMENTS.flatMap((environment) =>
      people.map((person) => ({ worker: workerOf(accountId, environment, person) })),
    );
  }

  #anyWorker(): Worker {
    const { random, shop, template } = this.#deps;
    const environment = random.pick(ENVIRONMENTS);
    return workerOf(shop.context.accountId, environment, random.pick(template.people));
  }

  #pick<T>(choices: readonly T[]): T | undefined {
    return choices.length === 0 ? undefined : this.#deps.random.pick(choices);
  }

  #newId(): string {
    this.#made += 1;
    return `counter-${this.#made}`;
  }
}
