import type { Static, TSchema } from "typebox";
import type { FailureCode } from "../../contract/error-codes.ts";
import { FAMILY_FACTS } from "../../contract/pos/families.ts";
import { type Clock, MINUTE, SECOND } from "../../lib/clock.ts";
import { SUPPLIED_FAMILIES } from "../families/index.ts";
import type { BillQuery, EsimUsage, Order, Outcome, RefundAnswer, Supplier } from "../supplier.ts";
import {
  callUpstream,
  tidy,
  type UpstreamConnection,
  UpstreamRefusal,
  type UpstreamRequest,
  UpstreamUnclear,
  UpstreamUnreached,
} from "./upstream-call.ts";
import { readFulfilment } from "./upstream-fulfilment.ts";
import {
  isStatus,
  UpstreamAccepted,
  UpstreamBill,
  UpstreamPlans,
  UpstreamPurchase,
  UpstreamRefund,
} from "./upstream-records.ts";

/** What an owner has to see to: sales fail, or the books drift from the upstream's. */
export interface UpstreamFault {
  kind: "KEY_REFUSED" | "FUNDS_SHORT" | "COST_DIFFERS";
  message: string;
}

interface Deps {
  clock: Clock;
  connection: UpstreamConnection;
  /** Told of what an owner has to see to. */
  report(fault: UpstreamFault): Promise<void>;
}

type Asked = Omit<UpstreamRequest, "timeout_ms">;

const SUBMISSION_TIMEOUT_MS = 30 * SECOND;
const STATUS_TIMEOUT_MS = 20 * SECOND;
/** A purchase is asked about after a second, then less and less often. */
const SHORTEST_PAUSE_MS = SECOND;
const LONGEST_PAUSE_MS = MINUTE;

/** Codes of a failed purchase that mean the same here (rules#purchase-failure-codes). */
const SAME_CODES: readonly string[] = [
  "RECIPIENT_INVALID",
  "PROVIDER_REJECTED",
  "ICCID_NOT_FOUND",
  "PRICE_CHANGED",
] satisfies FailureCode[];
const PLAN_STATUSES = ["ACTIVE", "QUEUED"] as const;
const KEY_CODES = ["NOT_AUTHORIZED", "FORBIDDEN"];
const LATER_CODES = ["RATE_LIMITED", "NOT_FOUND", "METHOD_NOT_ALLOWED", "UNSUPPORTED_MEDIA_TYPE"];

/**
 * A gateway that speaks `/v1`, as a provider. Our transaction id is the id there, so that a
 * purchase that was sent twice is one purchase. An outcome that is not known for certain is an
 * error, which makes the engine ask; a purchase is only called failed when the upstream said so.
 */
export class UpstreamSupplier implements Supplier {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async submit(
    order: Order,
    signal: AbortSignal,
  ): Promise<Exclude<Outcome, { kind: "not-received" }>> {
    const { productType } = order.offer;
    const path = `/${FAMILY_FACTS[productType].path}/purchases`;
    const body = SUPPLIED_FAMILIES[productType].toPurchaseInput(order);
    try {
      const request = { method: "POST", path, body, signal } as const;
      const accepted = await this.#call(UpstreamAccepted, request, SUBMISSION_TIMEOUT_MS);
      if (accepted.transactionId !== order.transactionId) {
        throw new UpstreamUnclear("It answers for another transaction.");
      }
      return { kind: "working", checkAgainAt: this.#deps.clock.now() + SHORTEST_PAUSE_MS };
    } catch (error) {
      if (error instanceof UpstreamRefusal) return this.#afterRefusal(order, error, signal);
      if (error instanceof UpstreamUnreached) {
        return { kind: "recoverable", message: `the provider was not reached: ${clause(error)}` };
      }
      if (signal.aborted) throw error;
      return this.#mustHaveArrived(order, signal, error);
    }
  }

  async enquire(order: Order, signal: AbortSignal): Promise<Outcome> {
    const record = await this.#find(order, signal);
    if (!record) return { kind: "not-received" };
    if (!isSame(order, record)) throw new UpstreamUnclear("It answers for another purchase.");
    return this.#toOutcome(order, record);
  }

  async refund(order: Order, signal: AbortSignal): Promise<RefundAnswer> {
    const path = `/esim/purchases/${order.transactionId}/refund`;
    const found = await this.#call(UpstreamRefund, { method: "GET", path, signal }).catch(
      (error: unknown) => {
        if (error instanceof UpstreamRefusal && error.errorCode === "NOT_FOUND") return undefined;
        throw error;
      },
    );
    try {
      const refund = found ?? (await this.#call(UpstreamRefund, { method: "POST", path, signal }));
      if (isStatus(refund.status, "DONE")) return { kind: "refunded" };
      if (isStatus(refund.status, "FAILED")) {
        return { kind: "refused", reason: this.#words(refund.error?.message) };
      }
      return { kind: "working", checkAgainAt: this.#deps.clock.now() + 2 * SECOND };
    } catch (error) {
      if (!(error instanceof UpstreamRefusal)) throw error;
      return error.errorCode === "REFUND_NOT_ALLOWED"
        ? { kind: "refused", reason: clause(error) }
        : { kind: "recoverable", message: clause(error) };
    }
  }

  async readEsim({ iccid }: { iccid: string }, signal: AbortSignal): Promise<EsimUsage> {
    const path = `/esim/${iccid}/plans`;
    const found = await this.#call(UpstreamPlans, { method: "GET", path, signal });
    const installedAt = Date.parse(found.firstInstalledAt ?? "");
    return {
      firstInstalledAt: Number.isNaN(installedAt) ? undefined : installedAt,
      plans: found.list.flatMap((plan) => {
        const status = PLAN_STATUSES.find((known) => isStatus(plan.status, known));
        // One that has ended, or is in a state that we do not know, is none that can be used.
        if (!status) return [];
        return {
          description: plan.description ?? "",
          endAt: plan.endAt ?? "",
          iccid,
          initialDataGB: plan.initialDataGB ?? 0,
          offerId: plan.offerId ?? "",
          reamainingDataGB: plan.reamainingDataGB ?? 0,
          remainingDataGB: plan.reamainingDataGB ?? 0,
          startAt: plan.startAt ?? "",
          status,
          unlimited: plan.unlimited ?? false,
        };
      }),
    };
  }

  async findBill({ offer, fields }: BillQuery, signal: AbortSignal): Promise<number | undefined> {
    const query = new URLSearchParams(fields).toString();
    const path = `/billpay/offers/${encodeURIComponent(offer.offerId)}/bill?${query}`;
    try {
      const bill = await this.#call(UpstreamBill, { method: "GET", path, signal });
      if (bill.sendCurrency === offer.send.currency) return bill.send;
      throw new UpstreamUnclear(`The bill is in ${bill.sendCurrency}.`);
    } catch (error) {
      if (error instanceof UpstreamRefusal && error.errorCode === "BILL_NOT_FOUND") {
        return undefined;
      }
      throw error;
    }
  }

  /** The record of an order; undefined when the upstream has none. */
  async #find(order: Order, signal: AbortSignal): Promise<UpstreamPurchase | undefined> {
    const path = `/${FAMILY_FACTS[order.offer.productType].path}/purchases/${order.transactionId}`;
    try {
      const record = await this.#call(UpstreamPurchase, { method: "GET", path, signal });
      if (record.transactionId === order.transactionId) return record;
      throw new UpstreamUnclear("It answers for another transaction.");
    } catch (error) {
      if (error instanceof UpstreamRefusal && error.errorCode === "NOT_FOUND") return undefined;
      throw error;
    }
  }

  /** A submission that got no clear answer is asked about once, at once; then the engine asks. */
  async #mustHaveArrived(order: Order, signal: AbortSignal, cause: unknown) {
    const outcome = await this.enquire(order, signal).catch(() => undefined);
    if (outcome && outcome.kind !== "not-received") return outcome;
    throw cause;
  }

  async #afterRefusal(order: Order, refusal: UpstreamRefusal, signal: AbortSignal) {
    const { errorCode } = refusal;
    if (errorCode === "DUPLICATE_TRANSACTION_ID") {
      const record = await this.#find(order, signal);
      if (record && isSame(order, record)) return this.#toOutcome(order, record);
      // The id was used for something else there: ours was never accepted, and cannot be.
      return rejected("The provider has another purchase of this transaction id.");
    }
    if (KEY_CODES.includes(errorCode) || LATER_CODES.includes(errorCode)) {
      return { kind: "recoverable" as const, message: `the provider refused: ${clause(refusal)}` };
    }
    const badRecipient =
      errorCode === "INVALID_REQUEST" && "recipientPhoneNumber" in refusal.fields;
    return rejected(
      `The provider refused: ${refusal.message}`,
      badRecipient && "RECIPIENT_INVALID",
    );
  }

  async #toOutcome(order: Order, record: UpstreamPurchase) {
    await this.#compareCost(order, record);
    if (isStatus(record.status, "DONE")) {
      return { kind: "fulfilled" as const, fulfilment: readFulfilment(order, record) };
    }
    if (isStatus(record.status, "FAILED")) return this.#toRejection(record);
    // A purchase that has waited long already is not asked about every second.
    const now = this.#deps.clock.now();
    const pause = Math.max(Math.ceil((now - order.acceptedAt) / 5), SHORTEST_PAUSE_MS);
    return { kind: "working" as const, checkAgainAt: now + Math.min(pause, LONGEST_PAUSE_MS) };
  }

  /** A failure there is final and its id used up: it is final here too. */
  async #toRejection({ error = {} }: UpstreamPurchase) {
    const code = SAME_CODES.find((same) => same === error.code) as FailureCode | undefined;
    const words = this.#words(error.message);
    if (error.code === "INSUFFICIENT_FUNDS") {
      const message = `The wallet at the provider does not cover a purchase: ${words}`;
      await this.#deps.report({ kind: "FUNDS_SHORT", message });
    }
    return rejected(code ? words : `The provider failed: ${words}`, code);
  }

  /** It was bought at that cost: the sale stands, and the owner is told that the books drift. */
  async #compareCost({ offer, cost }: Order, record: UpstreamPurchase): Promise<void> {
    const { cost: charged, costCurrency = offer.cost.currency } = record;
    if (charged === undefined || !isStatus(record.status, "DONE")) return;
    if (charged === cost && costCurrency === offer.cost.currency) return;
    await this.#deps.report({
      kind: "COST_DIFFERS",
      message: `The provider charged ${charged} ${costCurrency} for ${offer.offerId}, the catalog says ${cost} ${offer.cost.currency} (minor units).`,
    });
  }

  async #call<Schema extends TSchema>(
    schema: Schema,
    request: Asked,
    timeout_ms = STATUS_TIMEOUT_MS,
  ): Promise<Static<Schema>> {
    const { clock, connection, report } = this.#deps;
    try {
      return await callUpstream(connection, schema, { ...request, timeout_ms }, clock);
    } catch (error) {
      if (error instanceof UpstreamRefusal && KEY_CODES.includes(error.errorCode)) {
        await report({ kind: "KEY_REFUSED", message: `The key is refused: ${error.message}` });
      }
      throw error;
    }
  }

  #words(message: string | undefined): string {
    return tidy(message ?? "", this.#deps.connection.key) || "it gave no reason.";
  }
}

function rejected(message: string, code?: FailureCode | false) {
  return { kind: "rejected" as const, code: code || "PROVIDER_REJECTED", message };
}

/** Whether a record is of this order, as far as it tells: the id may have been used by others. */
function isSame({ offer, recipient, extras }: Order, record: UpstreamPurchase): boolean {
  if ((record.offerId ?? offer.offerId) !== offer.offerId) return false;
  if (FAMILY_FACTS[offer.productType].recipientKind === "number") {
    return (record.recipientPhoneNumber ?? recipient) === recipient;
  }
  const theirs = new Map(record.fields?.map(({ key, value }) => [key, value]));
  return (extras.fields ?? []).every(({ key, value }) => (theirs.get(key) ?? value) === value);
}

/** A message of theirs as the end of a sentence of ours. */
function clause({ message }: Error): string {
  return message.replace(/\.$/, "");
}
