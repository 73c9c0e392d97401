import type { FailureCode } from "../../contract/error-codes.ts";
import { HOUR, SECOND } from "../../lib/clock.ts";
import type { Order } from "../provider.ts";

export type Script =
  | "usual"
  | "recipient-invalid"
  | "rejected"
  | "price-changed"
  | "recovers"
  | "never-recovers"
  | "silent-but-fulfilled"
  | "silent"
  | "never-told"
  | "slow";

/** A prescribed course of a sandbox purchase. Each field replaces a real state. */
export interface Scenario {
  name: string;
  description: string;
  script?: Script;
  /** Error with which the purchase fails before the gateway holds money. */
  obstacle?: Extract<FailureCode, "PROVIDER_NOT_CONFIGURED" | "ICCID_NOT_FOUND">;
  /** Verdict of the shop's verifier, and the delay of the verdict. */
  verification?: { verdict: "blocked" | "unverified"; after_ms: number };
  isWalletEmpty?: boolean;
  /** Time for which the purchase waits, as if its brand were paused. */
  brandPause_ms?: number;
  isQueueOff?: boolean;
}

export type ScenarioOf = (
  purchase: Pick<Order, "accountId" | "environment" | "transactionId">,
) => Scenario | undefined;

const VERIFICATION_TIMEOUT_MS = 20 * SECOND;

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "delivered",
    description: "DONE after a second, whatever the recipient's last digits are",
    script: "usual",
  },
  { name: "delivered-slowly", description: "DONE after 20 seconds", script: "slow" },
  {
    name: "recipient-invalid",
    description: "FAILED with RECIPIENT_INVALID: the provider does not know the recipient",
    script: "recipient-invalid",
  },
  {
    name: "provider-rejected",
    description: "FAILED with PROVIDER_REJECTED: the provider refuses the purchase",
    script: "rejected",
  },
  {
    name: "price-changed",
    description: "FAILED with PRICE_CHANGED: the provider's price is not the catalog's",
    script: "price-changed",
  },
  {
    name: "provider-recovers",
    description: "two recoverable errors, then DONE after 30 minutes",
    script: "recovers",
  },
  {
    name: "provider-down",
    description: "recoverable errors for 24 hours, then FAILED with RETRY_WINDOW_EXPIRED",
    script: "never-recovers",
  },
  {
    name: "provider-down-without-queue",
    description: "FAILED with PROVIDER_UNAVAILABLE: a recoverable error while the queue is off",
    script: "never-recovers",
    isQueueOff: true,
  },
  {
    name: "provider-timeout-then-done",
    description: "the response is lost; the status query 15 minutes later returns DONE",
    script: "silent-but-fulfilled",
  },
  {
    name: "provider-timeout-not-received",
    description:
      "every response is lost and nothing is fulfilled: FAILED with RETRY_WINDOW_EXPIRED after 24 hours",
    script: "silent",
  },
  {
    name: "outcome-unknown",
    description:
      "the response is lost and no status query is answered: FAILED with RETRY_WINDOW_EXPIRED after a day of queries, and the owner reconciles it",
    script: "never-told",
  },
  {
    name: "provider-not-configured",
    description: "FAILED with PROVIDER_NOT_CONFIGURED: no provider is connected",
    obstacle: "PROVIDER_NOT_CONFIGURED",
  },
  {
    name: "iccid-not-found",
    description: "FAILED with ICCID_NOT_FOUND, like a plan for an eSIM that was not bought here",
    obstacle: "ICCID_NOT_FOUND",
  },
  {
    name: "wallet-empty",
    description: "FAILED with INSUFFICIENT_FUNDS: the wallet does not cover the cost",
    isWalletEmpty: true,
  },
  {
    name: "verification-rejected",
    description: "FAILED with VERIFICATION_BLOCKED: the shop's own system refuses the purchase",
    verification: { verdict: "blocked", after_ms: SECOND },
  },
  {
    name: "verification-unanswered",
    description:
      "FAILED with VERIFICATION_TIMEOUT: the shop's own system does not answer within 20 seconds",
    verification: { verdict: "unverified", after_ms: VERIFICATION_TIMEOUT_MS },
  },
  {
    name: "brand-paused",
    description:
      "PENDING while the brand is paused, and FAILED with RETRY_WINDOW_EXPIRED after 24 hours",
    brandPause_ms: Infinity,
  },
  {
    name: "brand-paused-then-done",
    description: "PENDING while the brand is paused, and DONE after it resumes an hour later",
    brandPause_ms: HOUR,
  },
];
