import type { FailureCode } from "../../contract/error-codes.ts";
import { FAMILY_FACTS } from "../../contract/pos/families.ts";
import type { Deviation } from "../../contract/pos/provider-answers.ts";
import { MINUTE, SECOND } from "../../lib/clock.ts";
import { SUPPLIED_FAMILIES } from "../families/index.ts";
import type {
  BillQuery,
  BillReading,
  Deviating,
  EsimUsage,
  Order,
  Provider,
  ProviderAnswer,
  ProviderFault,
  RefundAnswer,
  RefusalCause,
} from "../provider.ts";
import {
  type ProviderConnection,
  type ProviderRequest,
  type ProviderResponse,
  ProviderUnclear,
  ProviderUnreached,
  toUnsent,
} from "../provider-call.ts";
import type { ProviderLimits } from "../provider-limit.ts";
import {
  readAcceptance,
  readBill,
  readPlans,
  readRecord,
  readRefund,
  readRefusal,
  tidy,
} from "./upstream-answers.ts";
import { askUpstream } from "./upstream-call.ts";

interface UpstreamProviderDeps {
  limits: ProviderLimits;
  connection: ProviderConnection;
  report(fault: ProviderFault): Promise<void>;
}

type Refused = ReturnType<typeof readRefusal>;

const SUBMISSION = { priority: "PURCHASE", timeout_ms: 30 * SECOND } as const;
const INQUIRY = { priority: "INQUIRY", timeout_ms: 20 * SECOND } as const;
/** First interval between status inquiries. Later intervals are longer. */
const MIN_INTERVAL_MS = SECOND;
const LONGEST_PAUSE_MS = MINUTE;
const REFUND_PAUSE_MS = 2 * SECOND;

/** Codes with the same meaning at this gateway (rules#purchase-failure-codes). */
const SAME_CODES: readonly string[] = [
  "RECIPIENT_INVALID",
  "PROVIDER_REJECTED",
  "ICCID_NOT_FOUND",
  "PRICE_CHANGED",
] satisfies FailureCode[];
/** Codes after which the upstream has certainly not delivered, and never will. */
const CAUSES: Readonly<Partial<Record<string, RefusalCause>>> = {
  INSUFFICIENT_FUNDS: "FUNDS_SHORT",
  OFFER_NOT_FOUND: "NOT_SOLD",
  OFFER_DISABLED: "NOT_SOLD",
  PRICE_CHANGED: "NOT_SOLD",
  PROVIDER_NOT_CONFIGURED: "CLOSED",
  RECIPIENT_INVALID: "RECIPIENT",
};
/** Statuses of an overloaded server, which may still have received the submission. */
const BUSY_STATUSES: readonly number[] = [429, 503];
/** Number of waits that a failing upstream may request for an order, and the time for all of them. */
const MAX_SHORT_WAITS = 10;
const SHORT_WAITS_MS = MINUTE;

/**
 * A provider that is another gateway with `/v1`. Submissions contain this gateway's transaction id,
 * so that a repeated submission is not a second purchase. A purchase fails only if the upstream
 * clearly says so.
 */
export class UpstreamProvider implements Provider {
  readonly name: string;
  readonly #deps: UpstreamProviderDeps;

  constructor(deps: UpstreamProviderDeps) {
    this.#deps = deps;
    this.name = new URL(deps.connection.baseUrl).host;
  }

  async submit(order: Order, signal: AbortSignal): Promise<ProviderAnswer> {
    const { productType } = order.offer;
    const path = `/${FAMILY_FACTS[productType].path}/purchases`;
    const body = SUPPLIED_FAMILIES[productType].toPurchaseInput(order);
    let answer: ProviderResponse;
    try {
      answer = await this.#ask({ method: "POST", path, body, signal }, SUBMISSION);
    } catch (error) {
      if (error instanceof ProviderUnreached) return toUnsent(error);
      if (signal.aborted) throw error;
      return this.#inquireAfterSilence(order, signal, error);
    }
    const accepted = answer.status === 200 ? readAcceptance(order, answer.body) : undefined;
    if (accepted?.decided) {
      const checkAgainAt = this.#deps.limits.clock.now() + MIN_INTERVAL_MS;
      return { kind: "working", checkAgainAt, ...this.#beside(answer, accepted.deviations) };
    }
    const refused = readRefusal(answer, this.#deps.connection.key);
    if (refused.decided) return this.#afterRefusal(order, answer, refused, signal);
    return this.#inquireAfterUnclear(order, answer, accepted?.deviations ?? [], signal);
  }

  async inquire(order: Order, signal: AbortSignal): Promise<ProviderAnswer> {
    return (await this.#inquire(order, signal)).answer;
  }

  async refund(order: Order, signal: AbortSignal): Promise<RefundAnswer> {
    const path = `/esim/purchases/${order.transactionId}/refund`;
    const found = await this.#findRefund(path, signal);
    if (found) return found;
    const answer = await this.#ask({ method: "POST", path, signal });
    if (answer.status === 200) {
      const started = this.#toRefundAnswer(answer);
      // If this response is unreadable, the next inquiry reads the refund's record.
      if (started.kind !== "unreadable") return started;
      const checkAgainAt = this.#deps.limits.clock.now() + REFUND_PAUSE_MS;
      return { ...started, kind: "working", checkAgainAt };
    }
    const refused = readRefusal(answer, this.#deps.connection.key);
    const reason = clause(refused.details);
    if (refused.decided?.kind !== "REFUND_NOT_ALLOWED") {
      return { kind: "recoverable", message: reason };
    }
    // An earlier refund request whose response was lost may be in progress.
    return (await this.#findRefund(path, signal)) ?? { kind: "refused", reason };
  }

  async readEsim({ iccid }: { iccid: string }, signal: AbortSignal): Promise<EsimUsage> {
    const answer = await this.#ask({ method: "GET", path: `/esim/${iccid}/plans`, signal });
    if (answer.status === 200) return readPlans(iccid, answer.body);
    throw new ProviderUnclear(readRefusal(answer, this.#deps.connection.key).details.message);
  }

  async findBill(query: BillQuery, signal: AbortSignal): Promise<BillReading> {
    const { offer, fields } = query;
    const parameters = new URLSearchParams(fields).toString();
    const path = `/billpay/offers/${encodeURIComponent(offer.offerId)}/bill?${parameters}`;
    const answer = await this.#ask({ method: "GET", path, signal });
    if (answer.status === 200) return readBill(query, answer.body);
    const refused = readRefusal(answer, this.#deps.connection.key);
    if (refused.decided?.kind === "BILL_NOT_FOUND") {
      return {
        decided: { amountDue: undefined },
        details: undefined,
        deviations: refused.deviations,
      };
    }
    throw new ProviderUnclear(refused.details.message);
  }

  /** `isEchoed` is false if the record belongs to another order. */
  async #inquire(
    order: Order,
    signal: AbortSignal,
  ): Promise<{ answer: ProviderAnswer; isEchoed: boolean }> {
    const path = `/${FAMILY_FACTS[order.offer.productType].path}/purchases/${order.transactionId}`;
    const answer = await this.#ask({ method: "GET", path, signal });
    if (answer.status !== 200) {
      return { answer: await this.#afterUnanswered(order, answer), isEchoed: true };
    }
    const reading = readRecord(order, answer.body);
    const { decided, details } = reading;
    const isWhole = answer.body !== undefined;
    const deviations = isWhole ? reading.deviations : [UNREADABLE_ANSWER];
    const beside = this.#beside(answer, deviations);
    const { isEchoed } = details;
    const checkAgainAt = this.#nextInquiryAt(order);
    if (decided === undefined) {
      const message = `its answer cannot be read: ${listFields(deviations)}`;
      return { answer: { kind: "unreadable", message, checkAgainAt, ...beside }, isEchoed };
    }
    if (decided === "OPEN") {
      return { answer: { kind: "working", checkAgainAt, ...beside }, isEchoed };
    }
    if (decided === "FAILED" || !details.fulfilment) {
      return { answer: { ...(await this.#toRejection(details)), ...beside }, isEchoed };
    }
    await this.#compareCost(order, details);
    const { fulfilment } = details;
    return { answer: { kind: "fulfilled", fulfilment, ...beside }, isEchoed };
  }

  async #afterUnanswered(order: Order, answer: ProviderResponse): Promise<ProviderAnswer> {
    const refused = readRefusal(answer, this.#deps.connection.key);
    const { decided, details } = refused;
    if (decided?.kind === "NOT_FOUND") return { kind: "not-received" };
    if (decided?.kind === "DENIED") await this.#reportKey(details.message);
    return {
      kind: "unreadable",
      message: `it answers with status ${answer.status}: ${clause(details)}`,
      ...this.#readWait(order, answer),
      ...this.#beside(answer, listStatus(answer)),
    };
  }

  /**
   * Returns the time that the upstream requests for the next inquiry. A failing upstream may request
   * only few waits, because a failure at the usual interval counts for the brand's pause.
   */
  #readWait({ acceptedAt }: Order, { status, retryAfter_ms }: ProviderResponse) {
    if (retryAfter_ms === undefined) return {};
    const now = this.#deps.limits.clock.now();
    const waits_ms = Math.min(MAX_SHORT_WAITS * retryAfter_ms, SHORT_WAITS_MS);
    const isTooLong = status !== 429 && now - acceptedAt >= waits_ms;
    return isTooLong ? { isFailing: true } : { checkAgainAt: now + retryAfter_ms };
  }

  /** Inquires once after a submission without a response. */
  async #inquireAfterSilence(
    order: Order,
    signal: AbortSignal,
    cause: unknown,
  ): Promise<ProviderAnswer> {
    const outcome = await this.inquire(order, signal).catch(() => undefined);
    if (outcome && outcome.kind !== "not-received" && outcome.kind !== "unreadable") return outcome;
    throw cause;
  }

  async #inquireAfterUnclear(
    order: Order,
    answer: ProviderResponse,
    noted: readonly Deviation[],
    signal: AbortSignal,
  ): Promise<ProviderAnswer> {
    const { retryAfter_ms } = answer;
    const isBusy = BUSY_STATUSES.includes(answer.status);
    const message = `the provider answered with status ${answer.status}`;
    const busy = { kind: "recoverable", message, mayBeBooked: true } as const;
    const wait = retryAfter_ms === undefined ? {} : { retryAfter_ms };
    // The connection pauses: the next attempt starts with an inquiry.
    if (answer.status === 429 && retryAfter_ms !== undefined) return { ...busy, ...wait };
    const outcome = await this.inquire(order, signal).catch(() => undefined);
    const deviations = [...noted, ...listStatus(answer)];
    const beside = this.#beside(answer, deviations);
    if (outcome?.kind === "not-received" && isBusy) {
      const isFailing = answer.status === 503 && (retryAfter_ms ?? 0) >= SHORT_WAITS_MS;
      return { ...busy, isFailing, ...wait };
    }
    if (outcome && outcome.kind !== "not-received" && outcome.kind !== "unreadable") {
      return { ...beside, ...outcome, deviations: [...deviations, ...(outcome.deviations ?? [])] };
    }
    return { kind: "unreadable", message, ...this.#readWait(order, answer), ...beside };
  }

  async #afterRefusal(
    order: Order,
    answer: ProviderResponse,
    { decided, details, deviations }: Refused,
    signal: AbortSignal,
  ): Promise<ProviderAnswer> {
    const beside = this.#beside(answer, deviations);
    const message = `the provider refused: ${clause(details)}`;
    const refusal = rejected(
      `The provider refused: ${details.message}`,
      details.errorCode === "INVALID_REQUEST" &&
        "recipientPhoneNumber" in details.fields &&
        "RECIPIENT_INVALID",
      decided?.kind === "FUNDS_SHORT" ? "FUNDS_SHORT" : CAUSES[details.errorCode],
    );
    switch (decided?.kind) {
      case "BOOKED":
        return this.#afterDuplicate(order, signal);
      case "DENIED":
        await this.#reportKey(details.message);
        if (!decided.isCertain) {
          return { kind: "recoverable", message, mayBeBooked: true, ...beside };
        }
        return { kind: "recoverable", message, cause: "CLOSED", ...beside };
      case "NOT_FOUND":
        return { kind: "recoverable", message, mayBeBooked: !decided.isCertain, ...beside };
      case "LATER": {
        const { retryAfter_ms } = answer;
        const wait = retryAfter_ms === undefined ? {} : { retryAfter_ms };
        return { kind: "recoverable", message, mayBeBooked: true, ...wait, ...beside };
      }
      case "FUNDS_SHORT":
        await this.#reportFunds(details.message);
        break;
      default:
    }
    if (decided?.isCertain) return { ...refusal, ...beside };
    const outcome = await this.inquire(order, signal).catch(() => undefined);
    if (outcome?.kind === "not-received") return { ...refusal, isGuessed: true, ...beside };
    if (outcome && outcome.kind !== "unreadable") return outcome;
    return { kind: "unreadable", message, ...beside };
  }

  /**
   * Handles the refusal of a used transaction id. The upstream's purchase is this order, unless its
   * record differs.
   */
  async #afterDuplicate(order: Order, signal: AbortSignal): Promise<ProviderAnswer> {
    const found = await this.#inquire(order, signal).catch(() => undefined);
    if (found && !found.isEchoed) {
      // Another purchase has the id, so the upstream can never accept this order.
      return rejected("The provider has another purchase of this transaction id.");
    }
    const outcome = found?.answer;
    if (outcome?.kind === "fulfilled" || outcome?.kind === "rejected") return outcome;
    const { deviations = [], rawAnswer } = outcome ?? {};
    const checkAgainAt = this.#nextInquiryAt(order);
    const raw = rawAnswer === undefined ? {} : { rawAnswer };
    return { kind: "working", checkAgainAt, isBooked: true, deviations, ...raw };
  }

  /** Returns a final refusal, because the failed purchase has used up the transaction id. */
  async #toRejection({ errorCode, message }: { errorCode: string; message: string }) {
    const code = SAME_CODES.find((same) => same === errorCode) as FailureCode | undefined;
    const words = this.#words(message);
    if (errorCode === "INSUFFICIENT_FUNDS") await this.#reportFunds(words);
    return rejected(code ? words : `The provider failed: ${words}`, code, CAUSES[errorCode]);
  }

  async #findRefund(path: string, signal: AbortSignal): Promise<RefundAnswer | undefined> {
    const answer = await this.#ask({ method: "GET", path, signal });
    if (answer.status === 200) return this.#toRefundAnswer(answer);
    const { decided, details } = readRefusal(answer, this.#deps.connection.key);
    if (decided?.kind === "NOT_FOUND") return undefined;
    throw new ProviderUnclear(details.message);
  }

  #toRefundAnswer(answer: ProviderResponse): RefundAnswer {
    const { decided, details, deviations } = readRefund(answer.body);
    const beside = this.#beside(answer, deviations);
    if (decided === "DONE") return { kind: "refunded", ...beside };
    if (decided === "FAILED") {
      return { kind: "refused", reason: this.#words(details.message), ...beside };
    }
    if (decided === undefined) {
      return { kind: "unreadable", message: "its answer cannot be read: status", ...beside };
    }
    return {
      kind: "working",
      checkAgainAt: this.#deps.limits.clock.now() + REFUND_PAUSE_MS,
      ...beside,
    };
  }

  /** Notifies the owner if the cost differs. Does not change the sale. */
  async #compareCost(
    { offer, cost }: Order,
    { cost: charged, costCurrency }: { cost: number | undefined; costCurrency: string },
  ): Promise<void> {
    if (charged === undefined) return;
    if (charged === cost && costCurrency === offer.cost.currency) return;
    await this.#deps.report({
      kind: "COST_DIFFERS",
      message: `The provider charged ${charged} ${costCurrency} for ${offer.offerId}, the catalog says ${cost} ${offer.cost.currency} (minor units).`,
    });
  }

  async #reportKey(message: string): Promise<void> {
    await this.#deps.report({ kind: "KEY_REFUSED", message: `The key is refused: ${message}` });
  }

  async #reportFunds(words: string): Promise<void> {
    const message = `The wallet at the provider does not cover a purchase: ${words}`;
    await this.#deps.report({ kind: "FUNDS_SHORT", message });
  }

  #ask(
    request: Omit<ProviderRequest, "priority" | "timeout_ms">,
    manner: Pick<ProviderRequest, "priority" | "timeout_ms"> = INQUIRY,
  ): Promise<ProviderResponse> {
    const { limits, connection } = this.#deps;
    return askUpstream(connection, { ...request, ...manner }, limits);
  }

  /** Returns the time of the next inquiry. The interval grows with the age of the purchase. */
  #nextInquiryAt({ acceptedAt }: Order): number {
    const now = this.#deps.limits.clock.now();
    const pause = Math.max(Math.ceil((now - acceptedAt) / 5), MIN_INTERVAL_MS);
    return now + Math.min(pause, LONGEST_PAUSE_MS);
  }

  /** Returns the deviations, with the raw response unless all are conversions. */
  #beside({ text }: ProviderResponse, deviations: readonly Deviation[]): Deviating {
    if (deviations.length === 0) return {};
    const isUnderstood = deviations.every(({ kind }) => kind === "CONVERTED");
    const rawAnswer = text.replaceAll(this.#deps.connection.key, "…");
    return { deviations, ...(!isUnderstood && { rawAnswer }) };
  }

  #words(message: string): string {
    return tidy(message, this.#deps.connection.key) || "it gave no reason.";
  }
}

const UNREADABLE = { kind: "UNREADABLE", needed: true } as const;
const UNREADABLE_ANSWER: Deviation = { field: "(answer)", ...UNREADABLE };

function listStatus({ status, body }: ProviderResponse): Deviation[] {
  if (BUSY_STATUSES.includes(status)) return [];
  if (status === 200) return body === undefined ? [UNREADABLE_ANSWER] : [];
  return [{ field: `(status ${status})`, ...UNREADABLE }];
}

function rejected(message: string, code?: FailureCode | false, cause?: RefusalCause) {
  const refusal = { kind: "rejected" as const, code: code || "PROVIDER_REJECTED", message };
  return cause === undefined ? refusal : { ...refusal, cause };
}

function clause({ message }: { message: string }): string {
  return message.replace(/\.$/, "");
}

function listFields(deviations: readonly Deviation[]): string {
  const deciding = deviations.filter(({ needed }) => needed).map(({ field }) => field);
  return deciding.length === 0 ? "all of it" : deciding.join(", ");
}
