import { createHash } from "node:crypto";
import type { EsimPlan } from "../../contract/v1/esims.ts";
import type { Fulfilment } from "../../contract/v1/fulfilment.ts";
import type { BillPayOffer } from "../../contract/v1/offers.ts";
import { compileOnce } from "../../db/compiled-query.ts";
import type { Db, Tx } from "../../db/database.ts";
import { REPEATABLE, type Transactor } from "../../db/transactor.ts";
import { type Clock, DAY, SECOND, toTimestamp } from "../../lib/clock.ts";
import { SUPPLIED_FAMILIES } from "../families/index.ts";
import { digestOf, digitsOf } from "../order-digest.ts";
import type {
  BillQuery,
  BillReading,
  EsimUsage,
  Order,
  Provider,
  ProviderAnswer,
  RefundAnswer,
} from "../provider.ts";
import type { ScenarioOf, Script } from "./scenario.ts";

/** Matches orders whose eSIM is installed at once and has used half of its active plan. */
const INSTALLED = /-9008$/;

/** Last digits of account numbers that the sandbox's billers do not know. */
const UNKNOWN = "9001";
const MAX_BILL_FACTOR = 10;

interface SimulatorDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  findRecipientFault?(order: Order): Promise<string | undefined>;
  scenarioOf?: ScenarioOf | undefined;
}

const USUAL_DELAY_MS = SECOND;
const SLOW_DELAY_MS = 20 * SECOND;
const FAILURES_BEFORE_RECOVERY = 2;

/** Outcomes by the last four digits of the recipient (rules#simulator-outcomes). */
const SCRIPTS = {
  "9001": "recipient-invalid",
  "9002": "rejected",
  "9003": "recovers",
  "9004": "never-recovers",
  "9005": "silent-but-fulfilled",
  "9006": "silent",
  "9007": "slow",
} as const satisfies Record<string, Script>;

/**
 * The provider of the test environment: deterministic, and without deliveries of value. Its books
 * are in the database, so that orders survive a crash of the gateway.
 */
export class Simulator implements Provider {
  readonly name = "sandbox";
  readonly #deps: SimulatorDeps;
  #held = 0;

  constructor(deps: SimulatorDeps) {
    this.#deps = deps;
  }

  get held(): number {
    return this.#held;
  }

  async submit(order: Order, signal: AbortSignal): Promise<ProviderAnswer> {
    const fault = await this.#deps.findRecipientFault?.(order);
    if (fault !== undefined) return recipientInvalid(fault);
    const script = this.#scriptOf(order);
    if (script === "silent") return this.#hold(signal);
    const receive = (tx: Tx) => this.#receive(tx, order, script);
    const book = await this.#deps.transactor.transact(order.accountId, receive, REPEATABLE);
    if (script === "silent-but-fulfilled" || script === "never-told") return this.#hold(signal);
    return this.#answer(order, script, book);
  }

  #hold(signal: AbortSignal): Promise<never> {
    this.#held += 1;
    return new Promise<never>((_resolve, reject) => {
      const giveUp = () => {
        this.#held -= 1;
        reject(new Error("no answer"));
      };
      if (signal.aborted) giveUp();
      else signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  async inquire(order: Order): Promise<ProviderAnswer> {
    const script = this.#scriptOf(order);
    if (script === "never-told") throw new Error("no answer");
    const book = await findBook(this.#deps.db, order);
    return book ? this.#answer(order, script, book) : { kind: "not-received" };
  }

  async refund(order: Order): Promise<RefundAnswer> {
    const { transactor, clock } = this.#deps;
    const installed = await transactor.transact(order.accountId, (tx) =>
      refundPlan(tx, order, clock.now()),
    );
    return installed ? { kind: "refused", reason: "it has been installed" } : { kind: "refunded" };
  }

  readEsim(esim: { accountId: string; iccid: string }): Promise<EsimUsage> {
    const { transactor, clock } = this.#deps;
    return transactor.transact(esim.accountId, (tx) => readPlans(tx, esim, clock.now()));
  }

  async findBill({ offer, fields }: BillQuery): Promise<BillReading> {
    const amountDue = billDue(offer, fields);
    return { decided: { amountDue }, details: undefined, deviations: [] };
  }

  #scriptOf(order: Order): Script {
    return this.#deps.scenarioOf?.(order)?.script ?? scriptOf(order);
  }

  /** Stores an order. Counts an order with a known transaction id as a repeat. */
  async #receive(tx: Tx, order: Order, script: Script): Promise<Book> {
    const now = this.#deps.clock.now();
    const { accountId, transactionId } = order;
    const firstAt = fulfilmentTime(script, 1, now);
    const laterAt = fulfilmentTime(script, FAILURES_BEFORE_RECOVERY + 1, now);
    const { rows } = await receiveOrder(tx, { accountId, transactionId, now, firstAt, laterAt });
    const [book] = rows;
    if (!book) throw new Error("the order was not stored");
    if (book.fulfilledAt !== null) await addPlan(tx, order, book.fulfilledAt);
    return book;
  }

  #answer(order: Order, script: Script, book: Book): ProviderAnswer {
    if (script === "recipient-invalid") {
      return recipientInvalid("The provider does not know this number.");
    }
    if (script === "rejected") {
      return {
        kind: "rejected",
        code: "PROVIDER_REJECTED",
        message: "The provider refused the purchase.",
      };
    }
    if (script === "price-changed") {
      return {
        kind: "rejected",
        code: "PRICE_CHANGED",
        message: "The provider's price has changed.",
      };
    }
    if (book.fulfilledAt === null) {
      return { kind: "recoverable", message: "the provider is not available" };
    }
    if (book.fulfilledAt > this.#deps.clock.now()) {
      return { kind: "working", checkAgainAt: book.fulfilledAt };
    }
    return { kind: "fulfilled", fulfilment: fulfilmentOf(order, book.fulfilledAt) };
  }
}

function recipientInvalid(message: string): ProviderAnswer {
  return { kind: "rejected", code: "RECIPIENT_INVALID", message };
}

interface Book {
  submissions: number;
  fulfilledAt: number | null;
}

type BookKey = Pick<Order, "accountId" | "transactionId">;

type Receipt = BookKey & { now: number; firstAt: number | null; laterAt: number | null };

/** Inserts an order, or counts a repeat. The first time of fulfilment stays. */
const receiveOrder = compileOnce<Receipt, Book>((db, param) =>
  db
    .insertInto("simulator_orders")
    .values({
      account_id: param("accountId"),
      transaction_id: param("transactionId"),
      submissions: 1,
      received_at: param("now"),
      fulfilled_at: param("firstAt"),
    })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "transaction_id"]).doUpdateSet((eb) => ({
        submissions: eb("simulator_orders.submissions", "+", 1),
        fulfilled_at: eb.fn.coalesce(
          "simulator_orders.fulfilled_at",
          eb
            .case()
            .when("simulator_orders.submissions", ">=", FAILURES_BEFORE_RECOVERY)
            .then(param("laterAt"))
            .else(eb.ref("excluded.fulfilled_at"))
            .end(),
        ),
      })),
    )
    .returning(["submissions", "fulfilled_at as fulfilledAt"]),
);

/**
 * Chooses the outcome by the last digits of the recipient. Without a recipient, uses those of the
 * transaction id (rules#simulator-outcomes).
 */
function scriptOf(order: Order): Script {
  const named = order.recipient === "" ? /-\d{4}$/.exec(order.transactionId)?.[0] : order.recipient;
  return SCRIPTS[named?.slice(-4) as keyof typeof SCRIPTS] ?? "usual";
}

function fulfilmentTime(script: Script, submissions: number, now: number): number | null {
  switch (script) {
    case "usual":
      return now + USUAL_DELAY_MS;
    case "slow":
      return now + SLOW_DELAY_MS;
    case "silent-but-fulfilled":
      return now;
    case "recovers":
      return submissions > FAILURES_BEFORE_RECOVERY ? now + USUAL_DELAY_MS : null;
    default:
      return null;
  }
}

async function findBook(
  db: Db | Tx,
  { accountId, transactionId }: BookKey,
): Promise<Book | undefined> {
  return (await selectBook(db, { accountId, transactionId })).rows[0];
}

const selectBook = compileOnce<BookKey, Book>((db, param) =>
  db
    .selectFrom("simulator_orders")
    .select(["submissions", "fulfilled_at as fulfilledAt"])
    .where("account_id", "=", param("accountId"))
    .where("transaction_id", "=", param("transactionId")),
);

/**
 * Returns the amount due in minor units: constant for an account, and within the offer's limits.
 * Returns undefined if there is no bill.
 */
function billDue(
  offer: BillPayOffer,
  fields: Readonly<Record<string, string>>,
): number | undefined {
  const entries = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.some(([, value]) => value.endsWith(UNKNOWN))) return undefined;
  const { fixed, min = 0, max = 0, currencyDivisor } = offer.send;
  if (fixed !== undefined) return fixed;
  const digest = createHash("sha256")
    .update(JSON.stringify([offer.offerId, entries]))
    .digest();
  const share = digest.readUInt32BE(0) / 2 ** 32;
  const highest = Math.min(max, min * MAX_BILL_FACTOR);
  const due = Math.round((min + share * (highest - min)) / currencyDivisor) * currencyDivisor;
  return Math.min(Math.max(due, min), max);
}

/** Adds the order's plan to its eSIM, unless it was already added. */
async function addPlan(tx: Tx, order: Order, addedAt: number): Promise<void> {
  const { offer, accountId, transactionId } = order;
  const iccid = fulfilmentOf(order, addedAt).esim?.iccid;
  if (offer.productType !== "ESIM" || iccid === undefined) return;
  const { position } = await tx
    .selectFrom("simulator_plans")
    .select((eb) => eb.fn.countAll<number>().as("position"))
    .where("account_id", "=", accountId)
    .where("iccid", "=", iccid)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("simulator_plans")
    .values({
      account_id: accountId,
      transaction_id: transactionId,
      iccid,
      position,
      offer_id: offer.offerId,
      description: `${offer.brandName} ${offer.shortNotes}`,
      data_gb: offer.dataGB,
      unlimited: offer.dataUnlimited ? 1 : 0,
      duration_days: offer.durationDays,
      added_at: addedAt,
    })
    .onConflict((conflict) => conflict.columns(["account_id", "transaction_id"]).doNothing())
    .execute();
}

/** @returns true if the refund is too late, because the eSIM is installed */
async function refundPlan(tx: Tx, order: Order, now: number): Promise<boolean> {
  const { accountId, transactionId } = order;
  const plan = await tx
    .selectFrom("simulator_plans")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("transaction_id", "=", transactionId)
    .executeTakeFirstOrThrow();
  if (plan.refunded_at !== null) return false;
  const { decided } = await readPlans(tx, { accountId, iccid: plan.iccid }, now);
  if (decided?.firstInstalledAt !== undefined) return true;
  await tx
    .updateTable("simulator_plans")
    .set({ refunded_at: now })
    .where("account_id", "=", accountId)
    .where("transaction_id", "=", transactionId)
    .execute();
  return false;
}

/**
 * Returns the eSIM's plans. The first is active from the installation, and each other plan starts
 * when the previous one ends.
 */
async function readPlans(
  tx: Tx,
  { accountId, iccid }: { accountId: string; iccid: string },
  now: number,
): Promise<EsimUsage> {
  const rows = await tx
    .selectFrom("simulator_plans")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("iccid", "=", iccid)
    .where("added_at", "<=", now)
    .orderBy("position")
    .execute();
  const [first] = rows;
  const firstInstalledAt =
    first && INSTALLED.test(first.transaction_id) ? first.added_at : undefined;
  const plans: EsimPlan[] = [];
  let startsAt = firstInstalledAt;
  for (const row of rows.filter(({ refunded_at }) => refunded_at === null)) {
    const startAt = startsAt === undefined ? undefined : Math.max(startsAt, row.added_at);
    const endAt = startAt === undefined ? undefined : startAt + row.duration_days * DAY;
    startsAt = endAt;
    if (endAt !== undefined && endAt <= now) continue;
    const active = plans.length === 0;
    const used = active && startAt !== undefined ? row.data_gb / 2 : 0;
    const remainingDataGB = row.data_gb - used;
    plans.push({
      description: row.description,
      endAt: active && endAt !== undefined ? toTimestamp(endAt) : "",
      iccid,
      initialDataGB: row.data_gb,
      offerId: row.offer_id,
      reamainingDataGB: remainingDataGB,
      remainingDataGB,
      startAt: active && startAt !== undefined ? toTimestamp(startAt) : "",
      status: active ? "ACTIVE" : "QUEUED",
      unlimited: row.unlimited === 1,
    });
  }
  const isPlanUsed = plans.some(
    ({ unlimited, initialDataGB, remainingDataGB }) =>
      !unlimited && remainingDataGB < initialDataGB,
  );
  return { decided: { firstInstalledAt, isPlanUsed }, details: plans, deviations: [] };
}

/** @param fulfilledAt in milliseconds */
export function fulfilmentOf(order: Order, fulfilledAt: number): Fulfilment {
  const digest = digestOf(order);
  const confirmation = {
    confirmationNumber: digitsOf(digest, 0, 15),
    externalReferenceId: `SIM-${digest.toString("hex", 6, 12).toUpperCase()}`,
    transactionTime: toTimestamp(fulfilledAt),
  };
  const family = SUPPLIED_FAMILIES[order.offer.productType];
  return { confirmation, ...family.simulate(order, digest, confirmation) };
}
