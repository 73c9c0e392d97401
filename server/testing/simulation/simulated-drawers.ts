import type { MovementInput, ZReport } from "../../contract/pos/shifts.ts";
import type { Random } from "./random.ts";
import type { SimulatedShop } from "./simulated-shop.ts";
import type { SimulatedTill } from "./simulated-till.ts";
import type { Worker } from "./template-shop.ts";

interface SentClosing {
  worker: Worker;
  shiftId: string;
  counted: number;
  answered: ZReport | undefined;
}

interface SimulatedDrawersDeps {
  random: Random;
  shop: SimulatedShop;
  till: SimulatedTill;
}

export class SimulatedDrawers {
  readonly #deps: SimulatedDrawersDeps;
  readonly #till: SimulatedTill;
  readonly closings: SentClosing[] = [];
  readonly faults: string[] = [];

  constructor(deps: SimulatedDrawersDeps) {
    this.#deps = deps;
    this.#till = deps.till;
  }

  async open(worker: Worker): Promise<void> {
    const shiftId = this.#till.newId();
    const float = this.#deps.random.integer(0, 20_000);
    await this.#till.ask(`shift of ${worker.name}`, (context) =>
      context.shifts.open(worker, { shiftId, float }),
    );
  }

  async move(): Promise<void> {
    const { random } = this.#deps;
    const worker = this.#till.anyWorker();
    const movements: MovementInput[] = [
      {
        movementId: this.#till.newId(),
        kind: "PAY_IN",
        amount: random.integer(1, 5_000),
        reason: "in",
      },
      {
        movementId: this.#till.newId(),
        kind: "PAY_OUT",
        amount: random.integer(1, 500),
        reason: "out",
      },
      { movementId: this.#till.newId(), kind: "NO_SALE", reason: "change" },
    ];
    const movement = random.pick(movements);
    const shiftId = await this.#shiftOf(worker);
    if (!shiftId) return;
    for (let time = 0; time < 2; time++) {
      await this.#till.ask(`${movement.kind} by ${worker.name}`, (context) =>
        context.movements.book(worker, shiftId, movement),
      );
      if (!this.#deps.shop.isRunning) return;
    }
  }

  async close(): Promise<void> {
    const worker = this.#till.anyWorker();
    const shiftId = await this.#shiftOf(worker);
    if (shiftId) await this.#close(worker, shiftId);
  }

  async closeAgain(): Promise<void> {
    const closing = this.#till.pick(this.closings);
    if (closing) await this.#sendClosing(closing);
  }

  async end(): Promise<void> {
    for (const worker of this.#till.everybody()) {
      const shiftId = await this.#shiftOf(worker);
      if (shiftId) await this.#close(worker, shiftId);
    }
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
    const report = await this.#till.ask(`close ${shiftId}`, (context) =>
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
}
