import type { FailureCode } from "../../contract/error-codes.ts";
import { type Clock, MINUTE, SECOND } from "../../lib/clock.ts";
import { FieldReader } from "../field-reader.ts";
import type { Deviating, Order, Provider, ProviderAnswer, ProviderFault } from "../provider.ts";
import {
  type ProviderConnection,
  ProviderRefusal,
  ProviderUnreached,
  toUnsent,
} from "../provider-call.ts";
import { type Answered, type ReloadlyCalls, TokenMissing } from "./reloadly-call.ts";
import {
  GIFT_CARDS,
  type OrderDetails,
  type ReadCodes,
  type ReloadlyFamily,
  TOPUPS,
} from "./reloadly-order.ts";
import type { ReloadlyRefusal } from "./reloadly-refusal.ts";

const SUBMISSION = { priority: "PURCHASE", timeout_ms: 90 * SECOND } as const;
const INQUIRY = { priority: "INQUIRY", timeout_ms: 20 * SECOND } as const;
const MIN_INTERVAL_MS = SECOND;
const MAX_INTERVAL_MS = MINUTE;
/** A number takes one top-up in two minutes. */
const RECHARGED_PAUSE_MS = 2 * MINUTE;
/** Delay after the token service did not answer: nothing was sent. */
const TOKEN_PAUSE_MS = 5 * SECOND;
/** A gift card without a code counts as delivered after this time. */
const CODES_TIMEOUT_MS = 15 * MINUTE;

const RECIPIENT_CODES = [
  "INVALID_RECIPIENT_PHONE",
  "INVALID_PHONE_NUMBER",
  "COULD_NOT_AUTO_DETECT_OPERATOR",
];
const AMOUNT_CODES = ["INVALID_AMOUNT", "INVALID_AMOUNT_FOR_OPERATOR"];
/** The documented refusal of an amount of a gift card has no code. */
const AMOUNT_MESSAGE = /^invalid price\b/i;
const FUNDS_CODE = "INSUFFICIENT_BALANCE";
/** Refusals after which a later attempt may succeed. */
const LATER_CODES = [
  "PHONE_RECENTLY_RECHARGED",
  "TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT",
  "MAX_DAILY_TRANSACTION_AMOUNT_REACHED",
  "MAX_DAILY_TRANSACTION_COUNT_REACHED",
];
/** Errors that may occur after the order was booked. */
const UNSURE_CODES = ["TOPUP_TRANSACTION_FAILED", "PROVIDER_INTERNAL_ERROR"];
/** Answers about several orders of one identifier: the first kind decides. */
const WEIGHTS: readonly ProviderAnswer["kind"][] = [
  "fulfilled",
  "working",
  "unreadable",
  "rejected",
];
const DUPLICATE = /DUPLICATE|ALREADY|CUSTOM_?IDENTIFIER/;

interface ReloadlyProviderDeps {
  clock: Clock;
  connection: ProviderConnection;
  calls: ReloadlyCalls;
  report(fault: ProviderFault): Promise<void>;
}

/**
 * Reloadly's top-ups and gift cards. The transaction id is the `customIdentifier`, which Reloadly
 * accepts once. An inquiry lists the orders of that identifier. A missing order may still be under
 * way, so it is never submitted again, and its outcome stays unknown.
 */
export class ReloadlyProvider implements Provider {
  readonly name: string;
  readonly inquiry = "by-listing";
  readonly #deps: ReloadlyProviderDeps;

  constructor(deps: ReloadlyProviderDeps) {
    this.#deps = deps;
    this.name = new URL(deps.connection.baseUrl).host;
  }

  async submit(order: Order, signal: AbortSignal): Promise<ProviderAnswer> {
    const { calls, connection, clock } = this.#deps;
    const family = familyOf(order);
    const body = family.toRequest(order);
    if (!body) {
      const message = `${order.offer.offerId} is no offer of Reloadly.`;
      return { ...rejected(message), cause: "NOT_SOLD" };
    }
    const request = { method: "POST", path: family.submitPath, body, signal } as const;
    let answered: Answered;
    try {
      answered = await calls.ask(family.toApi(connection), { ...request, ...SUBMISSION });
    } catch (error) {
      if (error instanceof ProviderRefusal) return this.#afterTokenRefusal(order, error);
      if (error instanceof ProviderUnreached) return toUnsent(error);
      if (signal.aborted) throw error;
      if (error instanceof TokenMissing) {
        const message = `the provider gave no token: ${error.message}`;
        const retryAfter_ms = TOKEN_PAUSE_MS;
        return { kind: "recoverable", message, retryAfter_ms, cause: "UNREACHED" };
      }
      return this.#inquireAfterSilence(order, signal, error);
    }
    const { status, refusal } = answered;
    if (status === 200) {
      const { decided } = family.read(order, answered.body, clock.now());
      if (decided) return this.#toAnswer(order, answered, signal);
    }
    if (refusal) return this.#afterRefusal(order, answered, refusal, signal);
    return this.#inquireAfterUnclear(order, answered, signal);
  }

  async inquire(order: Order, signal: AbortSignal): Promise<ProviderAnswer> {
    const { calls, connection, clock } = this.#deps;
    const query = new URLSearchParams({ customIdentifier: order.transactionId, size: "10" });
    const family = familyOf(order);
    const path = `${family.listPath}?${query}`;
    const request = { method: "GET", path, signal, ...INQUIRY } as const;
    const answered = await calls.ask(family.toApi(connection), request);
    const { content } = (answered.body ?? {}) as { content?: unknown };
    if (answered.status !== 200 || !Array.isArray(content)) {
      if (answered.refusal?.isOfToken) await this.#reportKey(order, answered.refusal.message);
      const { retryAfter_ms } = answered;
      return {
        kind: "unreadable",
        message: `it answers with status ${answered.status}: ${answered.refusal?.message ?? "no list"}`,
        ...(retryAfter_ms !== undefined && { checkAgainAt: clock.now() + retryAfter_ms }),
        ...this.#beside(answered.text, isBusy(answered) ? [] : [UNREADABLE_ANSWER]),
      };
    }
    const own = content.filter((item) => isOf(order, item));
    if (own.length === 0) {
      // The service ignored the filter.
      const isOther = content.length > 0;
      const deviations = isOther
        ? [{ field: "content", kind: "DIFFERS", needed: true } as const]
        : [];
      const message = "its list does not have the order";
      return { kind: "unreadable", message, ...this.#beside(answered.text, deviations) };
    }
    const answers = await Promise.all(
      own.map((item) => this.#toAnswer(order, { body: item, text: "" }, signal)),
    );
    const byWeight = (a: ProviderAnswer, b: ProviderAnswer) =>
      WEIGHTS.indexOf(a.kind) - WEIGHTS.indexOf(b.kind);
    return answers.toSorted(byWeight)[0] as ProviderAnswer;
  }

  async #toAnswer(
    order: Order,
    { body, text }: Pick<Answered, "body" | "text">,
    signal: AbortSignal,
  ): Promise<ProviderAnswer> {
    const now = this.#deps.clock.now();
    const { decided, details, deviations } = familyOf(order).read(order, body, now);
    const beside = this.#beside(text || JSON.stringify(body), deviations);
    const checkAgainAt = this.#nextInquiryAt(order);
    switch (decided) {
      case "SUCCESSFUL":
        return this.#deliver(order, { details, beside }, signal);
      case "PROCESSING":
        return { kind: "working", checkAgainAt, isBooked: true, ...beside };
      case "REFUNDED":
      case "FAILED":
        return { ...rejected(`The provider states ${decided}.`), ...beside };
      case undefined:
        return {
          kind: "unreadable",
          message: "its answer cannot be read",
          checkAgainAt,
          ...beside,
        };
    }
  }

  /** An order whose codes cannot be read is booked, and is inquired about again. */
  async #deliver(
    order: Order,
    { details, beside }: { details: OrderDetails; beside: Deviating },
    signal: AbortSignal,
  ): Promise<ProviderAnswer> {
    const { codes } = familyOf(order);
    const read = codes ? await this.#readCodes(order, details, signal) : undefined;
    const isOver = this.#deps.clock.now() >= order.acceptedAt + CODES_TIMEOUT_MS;
    if (codes && !(read && (read.hasCode || isOver))) {
      return {
        kind: "working",
        checkAgainAt: this.#nextInquiryAt(order),
        isBooked: true,
        ...beside,
      };
    }
    await this.#compareCost(order, details);
    const { deviations = [], rawAnswer } = read ?? {};
    return {
      kind: "fulfilled",
      fulfilment: (read ?? details).fulfilment,
      ...beside,
      ...(deviations.length > 0 && { deviations: [...(beside.deviations ?? []), ...deviations] }),
      ...(rawAnswer !== undefined && { rawAnswer }),
    };
  }

  /** Returns undefined if there is no readable response. */
  async #readCodes(
    order: Order,
    details: OrderDetails,
    signal: AbortSignal,
  ): Promise<ReadCodes | undefined> {
    const family = familyOf(order);
    if (!family.codes || !/^\d+$/.test(details.id)) return undefined;
    const path = family.codes.toPath(details.id);
    const request = { method: "GET", path, signal, ...INQUIRY } as const;
    const answered = await this.#deps.calls
      .ask(family.toApi(this.#deps.connection), request)
      .catch(() => undefined);
    if (answered?.status !== 200) return undefined;
    const read = family.codes.read(order, details, answered.body);
    return read && { ...read, ...this.#beside(answered.text, read.deviations) };
  }

  /** The token service refused, so the order was not sent. */
  async #afterTokenRefusal(
    order: Order,
    { errorCode, message, retryAfter_ms }: ProviderRefusal,
  ): Promise<ProviderAnswer> {
    const isKey = errorCode === "NOT_AUTHORIZED";
    if (isKey) await this.#reportKey(order, message);
    return {
      kind: "recoverable",
      message: `the provider refused: ${message}`,
      ...(isKey && { cause: "CLOSED" }),
      ...(retryAfter_ms !== undefined && { retryAfter_ms }),
    };
  }

  async #afterRefusal(
    order: Order,
    answered: Answered,
    refusal: ReloadlyRefusal,
    signal: AbortSignal,
  ): Promise<ProviderAnswer> {
    const { errorCode, message } = refusal;
    const { retryAfter_ms } = answered;
    const words = `The provider refused: ${message}`;
    if (refusal.isOfToken) {
      await this.#reportKey(order, message);
      // A proxy's page with status 401 proves nothing about the submission.
      const certainty = errorCode === "" ? { mayBeBooked: true } : { cause: "CLOSED" as const };
      return { kind: "recoverable", message: words, ...certainty };
    }
    if (answered.status === 429 || LATER_CODES.includes(errorCode)) {
      const isRecent = errorCode === "PHONE_RECENTLY_RECHARGED";
      const wait = retryAfter_ms ?? (isRecent ? RECHARGED_PAUSE_MS : undefined);
      return {
        kind: "recoverable",
        message: words,
        mayBeBooked: true,
        ...(wait !== undefined && { retryAfter_ms: wait }),
      };
    }
    if (DUPLICATE.test(errorCode)) return this.#afterDuplicate(order, signal);
    const amountRefusal = { ...rejected(words, "PRICE_CHANGED"), cause: "NOT_SOLD" } as const;
    if (isUncodedAmount(answered, refusal)) return amountRefusal;
    if (answered.status >= 500 || UNSURE_CODES.includes(errorCode) || errorCode === "") {
      return this.#inquireAfterUnclear(order, answered, signal);
    }
    if (errorCode === FUNDS_CODE) {
      const text = `The balance at the provider does not cover a purchase: ${message}`;
      await this.#deps.report({ kind: "FUNDS_SHORT", message: text });
    }
    if (RECIPIENT_CODES.includes(errorCode)) {
      return { ...rejected(words, "RECIPIENT_INVALID"), cause: "RECIPIENT" };
    }
    if (AMOUNT_CODES.includes(errorCode)) return amountRefusal;
    if (errorCode === FUNDS_CODE) return { ...rejected(words), cause: "FUNDS_SHORT" };
    const outcome = await this.inquire(order, signal).catch(() => undefined);
    return outcome ?? { kind: "unreadable", message: words };
  }

  /** The identifier is used, so the order is booked even if the list does not show it yet. */
  async #afterDuplicate(order: Order, signal: AbortSignal): Promise<ProviderAnswer> {
    const outcome = await this.inquire(order, signal).catch(() => undefined);
    if (outcome?.kind === "fulfilled" || outcome?.kind === "rejected") return outcome;
    return { kind: "working", checkAgainAt: this.#nextInquiryAt(order), isBooked: true };
  }

  async #inquireAfterSilence(
    order: Order,
    signal: AbortSignal,
    cause: unknown,
  ): Promise<ProviderAnswer> {
    const outcome = await this.inquire(order, signal).catch(() => undefined);
    if (outcome && outcome.kind !== "unreadable") return outcome;
    throw cause;
  }

  async #inquireAfterUnclear(
    order: Order,
    answered: Answered,
    signal: AbortSignal,
  ): Promise<ProviderAnswer> {
    const outcome = await this.inquire(order, signal).catch(() => undefined);
    if (outcome && outcome.kind !== "unreadable") return outcome;
    const { retryAfter_ms, status, text } = answered;
    return {
      kind: "unreadable",
      message: `the provider answered with status ${status}`,
      ...(retryAfter_ms !== undefined && { checkAgainAt: this.#deps.clock.now() + retryAfter_ms }),
      ...this.#beside(text, isBusy(answered) ? [] : [UNREADABLE_ANSWER]),
    };
  }

  async #compareCost(
    { offer, cost }: Order,
    { cost: charged, costCurrency }: OrderDetails,
  ): Promise<void> {
    if (charged === undefined) return;
    if (charged === cost && costCurrency === offer.cost.currency) return;
    await this.#deps.report({
      kind: "COST_DIFFERS",
      message: `The provider charged ${charged} ${costCurrency} for ${offer.offerId}, the catalog says ${cost} ${offer.cost.currency} (minor units).`,
    });
  }

  /** An account that may not sell gift cards has a good key for top-ups. */
  async #reportKey(order: Order, message: string): Promise<void> {
    if (familyOf(order) === GIFT_CARDS) return;
    await this.#deps.report({ kind: "KEY_REFUSED", message });
  }

  #nextInquiryAt({ acceptedAt }: Order): number {
    const now = this.#deps.clock.now();
    const pause = Math.max(Math.ceil((now - acceptedAt) / 5), MIN_INTERVAL_MS);
    return now + Math.min(pause, MAX_INTERVAL_MS);
  }

  #beside(text: string, deviations: Deviating["deviations"] = []): Deviating {
    if (deviations.length === 0) return {};
    const isUnderstood = deviations.every(({ kind }) => kind === "CONVERTED");
    const rawAnswer = text.replaceAll(this.#deps.connection.key, "…");
    return { deviations, ...(!isUnderstood && { rawAnswer }) };
  }
}

const UNREADABLE_ANSWER = { field: "(answer)", kind: "UNREADABLE", needed: true } as const;

function familyOf({ offer }: Order): ReloadlyFamily {
  return offer.productType === "VOUCHER" ? GIFT_CARDS : TOPUPS;
}

function isUncodedAmount({ status }: Answered, { errorCode, message }: ReloadlyRefusal): boolean {
  return status === 400 && errorCode === "" && AMOUNT_MESSAGE.test(message);
}

function isBusy({ status }: Answered): boolean {
  return status === 429 || status === 503;
}

function isOf({ transactionId }: Order, item: unknown): boolean {
  return new FieldReader(item).text("customIdentifier") === transactionId;
}

function rejected(message: string, code: FailureCode = "PROVIDER_REJECTED") {
  return { kind: "rejected" as const, code, message };
}
