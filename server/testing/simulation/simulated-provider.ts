import { HOUR, MINUTE, SECOND } from "../../lib/clock.ts";
import type {
  BillReading,
  EsimUsage,
  Order,
  Provider,
  ProviderAnswer,
  RefundAnswer,
} from "../../providers/provider.ts";
import { fulfilmentOf } from "../../providers/simulator/simulator.ts";
import type { FakeClock } from "../fake-clock.ts";
import type { Random } from "./random.ts";

interface Book {
  fate: "fulfil" | "reject";
  readyAt: number;
  refunded: boolean;
}

/** The provider's last answer about an order; `nothing` before the first answer. */
type Answered = "nothing" | "recoverable" | "not-received" | "other";

/**
 * A provider with every kind of failure: errors, timeouts, late answers, delayed orders, and
 * missing notifications. It delivers a transaction id only once, and records submissions that the
 * gateway repeats without a reason.
 */
export class SimulatedProvider implements Provider {
  readonly #random: Random;
  readonly #clock: FakeClock;
  readonly #books = new Map<string, Book>();
  readonly #answered = new Map<string, Answered>();
  readonly violations: string[] = [];
  /** Set to true to end all failures. */
  healthy = false;

  constructor(random: Random, clock: FakeClock) {
    this.#random = random;
    this.#clock = clock;
  }

  /** Returns the ids of delivered orders, as `environment/transactionId`. */
  fulfilled(): string[] {
    return [...this.#books].filter(([, book]) => book.fate === "fulfil").map(([id]) => id);
  }

  refunded(): string[] {
    return [...this.#books].filter(([, book]) => book.refunded).map(([id]) => id);
  }

  async submit(order: Order, signal: AbortSignal): Promise<ProviderAnswer> {
    const id = idOf(order);
    const answered = this.#answered.get(id);
    if (answered === "nothing" || answered === "other") {
      this.violations.push(`${id} was submitted again after the gateway had heard ${answered}`);
    }
    this.#answered.set(id, "nothing");
    switch (this.#fault({ none: 8, recoverable: 3, lost: 1, silent: 1, answerLost: 1, late: 1 })) {
      case "recoverable":
        this.#answered.set(id, "recoverable");
        return { kind: "recoverable", message: "the provider is busy" };
      case "lost":
        throw new Error("connection reset");
      case "silent":
        return this.#silence(signal);
      case "late":
        // The order is delayed on its way, and may arrive after an inquiry.
        this.#clock.wakeAt(this.#clock.now() + this.#random.integer(1, 14) * MINUTE, () => {
          this.#receive(id);
        });
        return this.#silence(signal);
      case "answerLost":
        this.#receive(id);
        if (this.#random.chance(0.5)) throw new Error("connection reset");
        return this.#silence(signal);
      default:
        this.#receive(id);
        return this.#answer(order, id);
    }
  }

  async inquire(order: Order, signal: AbortSignal): Promise<ProviderAnswer> {
    const fault = this.#fault({ none: 8, error: 1, silent: 1 });
    if (fault === "error") throw new Error("503");
    if (fault === "silent") return this.#silence(signal);
    return this.#answer(order, idOf(order));
  }

  async refund(order: Order, signal: AbortSignal): Promise<RefundAnswer> {
    const book = this.#books.get(idOf(order));
    if (!book) throw new Error("a refund of what was never received");
    const fault = this.#fault({
      none: 6,
      recoverable: 1,
      error: 1,
      silent: 1,
      answerLost: 1,
      no: 1,
    });
    if (fault === "no" && !book.refunded) return { kind: "refused", reason: "the plan has begun" };
    if (fault === "recoverable") return { kind: "recoverable", message: "busy" };
    if (fault === "error") throw new Error("503");
    if (fault === "silent") return this.#silence(signal);
    book.refunded = true;
    if (fault === "answerLost") throw new Error("connection reset");
    return { kind: "refunded" };
  }

  async readEsim(): Promise<EsimUsage> {
    if (this.#fault({ none: 9, error: 1 }) === "error") throw new Error("503");
    const decided = { firstInstalledAt: undefined, isPlanUsed: false };
    return { decided, details: [], deviations: [] };
  }

  async findBill(): Promise<BillReading> {
    return { decided: { amountDue: undefined }, details: undefined, deviations: [] };
  }

  #receive(id: string): void {
    if (this.#books.has(id)) return;
    this.#books.set(id, {
      fate: this.healthy || this.#random.chance(0.85) ? "fulfil" : "reject",
      readyAt: this.#clock.now() + this.#fulfilmentTime(),
      refunded: false,
    });
  }

  #fulfilmentTime(): number {
    if (this.healthy) return 0;
    return this.#random.pick([0, 0, SECOND, 20 * SECOND, 30 * MINUTE, 6 * HOUR]);
  }

  #answer(order: Order, id: string): ProviderAnswer {
    const book = this.#books.get(id);
    if (!book) {
      this.#answered.set(id, "not-received");
      return { kind: "not-received" };
    }
    this.#answered.set(id, "other");
    if (book.readyAt > this.#clock.now()) return { kind: "working", checkAgainAt: book.readyAt };
    if (book.fate === "fulfil") {
      return { kind: "fulfilled", fulfilment: fulfilmentOf(order, book.readyAt) };
    }
    return { kind: "rejected", code: "PROVIDER_REJECTED", message: "The provider refused it." };
  }

  #fault<T extends string>(weights: Record<T | "none", number>): T | "none" {
    return this.healthy ? "none" : this.#random.weighted(weights);
  }

  #silence(signal: AbortSignal): Promise<never> {
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("no answer")), { once: true });
    });
  }
}

function idOf(order: Order): string {
  return `${order.environment}/${order.transactionId}`;
}
