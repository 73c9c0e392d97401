import { describe, expect, it } from "vitest";
import { DAY, MINUTE, SECOND } from "../../../lib/clock.ts";
import { decide } from "./decide.ts";
import type { Decision, PurchaseEvent } from "./decision.ts";
import { failure } from "./decision.ts";
import type { PurchaseState } from "./retry-policy.ts";

/* Every event in every state of a purchase. The compiler names a missing pair. */

const NOW = Date.UTC(2026, 0, 15, 9, 30);

const STATES = {
  ACCEPTED: state("ACCEPTED"),
  PENDING: state("PENDING"),
  "ACCEPTED, restored": state("ACCEPTED", { attemptState: "WORKING", doubt: "LOST" }),
  AUTHORIZED: state("AUTHORIZED"),
  "AUTHORIZED, restored": state("AUTHORIZED", { attemptState: "WORKING", doubt: "LOST" }),
  SENT: state("IN_PROGRESS", { attempts: 1, attemptState: "SENT", nextAttemptAt: NOW + MINUTE }),
  "SENT, due": state("IN_PROGRESS", { attempts: 1, attemptState: "SENT", nextAttemptAt: NOW }),
  "SENT again, in doubt": state("IN_PROGRESS", {
    attempts: 2,
    attemptState: "SENT",
    nextAttemptAt: NOW + MINUTE,
    doubt: "LOST",
  }),
  WORKING: state("IN_PROGRESS", { attempts: 1, attemptState: "WORKING", doubt: "ACCEPTED" }),
  "WORKING, booked": state("IN_PROGRESS", {
    attempts: 1,
    attemptState: "WORKING",
    doubt: "BOOKED",
  }),
  "FAILED attempt": state("IN_PROGRESS", {
    attempts: 1,
    attemptState: "FAILED",
    nextAttemptAt: NOW + MINUTE,
  }),
  "FAILED attempt, due": state("IN_PROGRESS", {
    attempts: 1,
    attemptState: "FAILED",
    nextAttemptAt: NOW,
  }),
  moved: state("IN_PROGRESS", { attempts: 1, refusedBy: ["first"] }),
  "WORKING, may have moved": state("IN_PROGRESS", {
    attempts: 1,
    attemptState: "WORKING",
    doubt: "LOST",
    mayHaveMoved: true,
  }),
  "WORKING after a day": state(
    "IN_PROGRESS",
    { attempts: 1, attemptState: "WORKING", doubt: "LOST", unknownFor_ms: DAY },
    NOW - 2 * DAY,
  ),
  DONE: state("DONE", { attempts: 1 }),
  FAILED: state("FAILED", { attempts: 1 }),
} as const satisfies Record<string, PurchaseState>;

function state(
  status: PurchaseState["transaction"]["status"],
  attempt: Partial<Omit<PurchaseState, "transaction">> = {},
  createdAt = NOW,
): PurchaseState {
  return {
    attempts: 0,
    attemptState: "NONE",
    nextAttemptAt: undefined,
    unknownFor_ms: 0,
    doubt: "NONE",
    refusedBy: [],
    mayHaveMoved: false,
    ...attempt,
    transaction: { status, createdAt, training: false, log: { length: 1 } },
  };
}

const OBSTACLE = failure("PROVIDER_NOT_CONFIGURED", "No provider is connected.");
const FULFILLED = {
  kind: "fulfilled",
  fulfilment: {
    confirmation: { confirmationNumber: "1", externalReferenceId: "1", transactionTime: "" },
  },
} as const;
const REJECTED = { kind: "rejected", code: "PROVIDER_REJECTED", message: "no" } as const;
const BUSY = { kind: "recoverable", message: "busy" } as const;
const SHORT = { ...REJECTED, cause: "FUNDS_SHORT" } as const;
const UNREACHED = { ...BUSY, cause: "UNREACHED" } as const;
const following = { name: "South", supply: undefined, costBase: 1, costFee: 0 } as const;
const NOT_RECEIVED = { kind: "not-received" } as const;
const UNREADABLE = { kind: "unreadable", message: "status" } as const;
const UNDER_WAY = { kind: "working", checkAgainAt: NOW + 5 * MINUTE } as const;

const start = { obstacle: undefined, brand: "OPEN", verification: "NONE" } as const;
const answered = { isAlone: true, queueOn: true } as const;
const inquired = { isOver: true, queueOn: true, asked_ms: MINUTE } as const;
const due = { isIntervalOver: false } as const;

const EVENTS = {
  started: {
    free: start,
    obstacle: { ...start, obstacle: OBSTACLE },
    "brand paused": { ...start, brand: "PAUSED" },
    "to be verified": { ...start, verification: "WANTED" },
    allowed: { ...start, verification: "ALLOWED" },
  },
  verifying: { asked: { isAsked: true }, "no place": { isAsked: false } },
  verified: {
    allowed: { verdict: "allowed" },
    blocked: { verdict: "blocked" },
    unverified: { verdict: "unverified" },
  },
  "funds-held": { held: {} },
  "funds-short": {
    short: { reason: failure("INSUFFICIENT_FUNDS", "short"), figures: { shortBy: 1 } },
  },
  due: {
    here: { ...due, sender: { state: "HERE" } },
    elsewhere: { ...due, sender: { state: "ELSEWHERE", endsIn_ms: 30_000 } },
    unanswered: { ...due, sender: { state: "UNANSWERED" } },
    gone: { ...due, sender: { state: "GONE" } },
  },
  answered: {
    fulfilled: { ...answered, answer: FULFILLED },
    rejected: { ...answered, answer: REJECTED },
    busy: { ...answered, answer: BUSY },
    "busy, queue off": { ...answered, answer: BUSY, queueOn: false },
    "busy beside another": { ...answered, answer: BUSY, isAlone: false },
    "maybe booked, queue off": {
      ...answered,
      answer: { ...BUSY, mayBeBooked: true },
      queueOn: false,
    },
    working: { ...answered, answer: UNDER_WAY },
    unreadable: { ...answered, answer: UNREADABLE },
    "funds short": { ...answered, answer: SHORT, following },
    "funds short, no other provider": { ...answered, answer: SHORT },
    "funds short, guessed": { ...answered, answer: { ...SHORT, isGuessed: true }, following },
    "funds short beside another": { ...answered, answer: SHORT, isAlone: false, following },
    unreached: { ...answered, answer: UNREACHED, following },
    "unreached, maybe booked": {
      ...answered,
      answer: { ...UNREACHED, mayBeBooked: true },
      following,
    },
    "recipient refused": { ...answered, answer: { ...REJECTED, cause: "RECIPIENT" }, following },
  },
  inquired: {
    silence: { ...inquired, answer: undefined },
    fulfilled: { ...inquired, answer: FULFILLED },
    rejected: { ...inquired, answer: REJECTED },
    busy: { ...inquired, answer: BUSY },
    "busy, queue off": { ...inquired, answer: BUSY, queueOn: false },
    "busy, under way": { ...inquired, answer: BUSY, isOver: false },
    "not received": { ...inquired, answer: NOT_RECEIVED },
    "not received, queue off": { ...inquired, answer: NOT_RECEIVED, queueOn: false },
    "not received, under way": { ...inquired, answer: NOT_RECEIVED, isOver: false },
    working: { ...inquired, answer: UNDER_WAY },
    unreadable: { ...inquired, answer: UNREADABLE },
    "funds short": { ...inquired, answer: SHORT, following },
    "funds short, under way": { ...inquired, answer: SHORT, isOver: false, following },
    "failed without a cause": { ...inquired, answer: REJECTED, following },
  },
  confirmed: {
    silence: { refusal: REJECTED, answer: undefined, queueOn: false },
    fulfilled: { refusal: REJECTED, answer: FULFILLED, queueOn: false },
    "not received": { refusal: REJECTED, answer: NOT_RECEIVED, queueOn: false },
    "not received, guessed": {
      refusal: { ...REJECTED, isGuessed: true },
      answer: NOT_RECEIVED,
      queueOn: false,
    },
    busy: { refusal: BUSY, answer: BUSY, queueOn: false },
    "not asked yet": {
      refusal: BUSY,
      answer: { ...UNREADABLE, checkAgainAt: NOW + 30 * SECOND },
      queueOn: false,
    },
  },
} as const satisfies {
  [Kind in PurchaseEvent["kind"]]: Record<
    string,
    Omit<Extract<PurchaseEvent, { kind: Kind }>, "kind" | "now">
  >;
};

type StateName = keyof typeof STATES;
type Kind = keyof typeof EVENTS;
/** "nothing": no variant of the event has an effect. */
type Table = Record<
  StateName,
  { [K in Kind]: "nothing" | Record<keyof (typeof EVENTS)[K], string> }
>;

function describeDecision({ write, next }: Decision): string {
  const parts: string[] = [];
  for (const { to, error, needsReconciliation } of write?.steps ?? []) {
    parts.push(error ? `${to} ${error.code}` : to, ...(needsReconciliation ? ["flagged"] : []));
  }
  const { ledger, attempt, brand, lookAt, sending } = write ?? {};
  if (ledger) parts.push(ledger);
  if (attempt?.attempts) parts.push(`attempt ${attempt.attempts}`);
  if (attempt?.attemptState) parts.push(attempt.attemptState);
  if (attempt?.doubt && attempt.doubt !== "NONE") parts.push(`doubt ${attempt.doubt}`);
  if (sending) parts.push(`sender ${sending}`);
  if (brand) parts.push(`brand ${brand}`);
  if (lookAt !== undefined) parts.push(`look in ${(lookAt - NOW) / SECOND} s`);
  if (next.do !== "rest") parts.push(`then ${next.do}`);
  return parts.join(", ") || "nothing";
}

const NEVER_SENT = { answered: "nothing", inquired: "nothing", confirmed: "nothing" } as const;
const HELD = {
  started: "nothing",
  verifying: "nothing",
  verified: "nothing",
  "funds-held": "nothing",
  "funds-short": "nothing",
} as const;

const TABLE: Table = {
  ACCEPTED: {
    ...NEVER_SENT,
    started: {
      free: "then hold",
      obstacle: "FAILED PROVIDER_NOT_CONFIGURED",
      "brand paused": "PENDING, look in 86400 s",
      "to be verified": "then verify",
      allowed: "then hold",
    },
    verifying: { asked: "PENDING, look in 30 s", "no place": "PENDING, look in 1 s" },
    verified: "nothing",
    "funds-held": {
      held: "AUTHORIZED, IN_PROGRESS, attempt 1, SENT, sender BEGINS, look in 900 s, then submit",
    },
    "funds-short": { short: "FAILED INSUFFICIENT_FUNDS" },
    due: "nothing",
  },
  PENDING: {
    ...NEVER_SENT,
    started: {
      free: "then hold",
      obstacle: "FAILED PROVIDER_NOT_CONFIGURED",
      "brand paused": "look in 86400 s",
      "to be verified": "then verify",
      allowed: "then hold",
    },
    verifying: { asked: "look in 30 s", "no place": "look in 1 s" },
    verified: {
      allowed: "look in 0 s",
      blocked: "FAILED VERIFICATION_BLOCKED",
      unverified: "FAILED VERIFICATION_TIMEOUT",
    },
    "funds-held": {
      held: "AUTHORIZED, IN_PROGRESS, attempt 1, SENT, sender BEGINS, look in 900 s, then submit",
    },
    "funds-short": { short: "FAILED INSUFFICIENT_FUNDS" },
    due: "nothing",
  },
  "ACCEPTED, restored": {
    ...NEVER_SENT,
    started: {
      free: "then hold",
      obstacle: "FAILED PROVIDER_NOT_CONFIGURED, flagged",
      "brand paused": "PENDING, look in 86400 s",
      "to be verified": "then verify",
      allowed: "then hold",
    },
    verifying: { asked: "PENDING, look in 30 s", "no place": "PENDING, look in 1 s" },
    verified: "nothing",
    "funds-held": { held: "AUTHORIZED, then look" },
    "funds-short": { short: "FAILED INSUFFICIENT_FUNDS, flagged" },
    due: "nothing",
  },
  AUTHORIZED: {
    ...HELD,
    ...NEVER_SENT,
    due: {
      here: "IN_PROGRESS, attempt 1, SENT, sender BEGINS, look in 900 s, then submit",
      elsewhere: "IN_PROGRESS, attempt 1, SENT, sender BEGINS, look in 900 s, then submit",
      unanswered: "IN_PROGRESS, attempt 1, SENT, sender BEGINS, look in 900 s, then submit",
      gone: "IN_PROGRESS, attempt 1, SENT, sender BEGINS, look in 900 s, then submit",
    },
  },
  "AUTHORIZED, restored": {
    ...HELD,
    ...NEVER_SENT,
    due: {
      here: "IN_PROGRESS, then look",
      elsewhere: "IN_PROGRESS, then look",
      unanswered: "IN_PROGRESS, then look",
      gone: "IN_PROGRESS, then look",
    },
  },
  SENT: {
    ...HELD,
    due: {
      here: "sender HERE, look in 60 s",
      elsewhere: "look in 30 s",
      unanswered: "sender KEPT, look in 60 s",
      gone: "then inquire",
    },
    answered: {
      fulfilled: "DONE, capture, brand ANSWERED",
      rejected: "FAILED PROVIDER_REJECTED, release, brand ANSWERED",
      busy: "IN_PROGRESS, FAILED, brand FAILED, look in 60 s",
      "busy, queue off": "FAILED PROVIDER_UNAVAILABLE, release, brand FAILED",
      "busy beside another": "then await-deadline",
      "maybe booked, queue off": "then confirm",
      working: "WORKING, doubt ACCEPTED, look in 300 s",
      unreadable: "then await-deadline",
      "funds short": "IN_PROGRESS, move, NONE, brand ANSWERED, look in 0 s, then look",
      "funds short, no other provider": "FAILED INSUFFICIENT_FUNDS, release, brand ANSWERED",
      "funds short, guessed": "FAILED INSUFFICIENT_FUNDS, release, brand ANSWERED",
      "funds short beside another": "FAILED INSUFFICIENT_FUNDS, release, brand ANSWERED",
      unreached: "IN_PROGRESS, move, NONE, brand FAILED, look in 0 s, then look",
      "unreached, maybe booked": "IN_PROGRESS, FAILED, doubt LOST, brand FAILED, look in 60 s",
      "recipient refused": "FAILED PROVIDER_REJECTED, release, brand ANSWERED",
    },
    inquired: {
      silence: "sender KEPT, look in 60 s",
      fulfilled: "DONE, capture, brand ANSWERED",
      rejected: "FAILED PROVIDER_REJECTED, release, brand ANSWERED",
      busy: "IN_PROGRESS, FAILED, brand FAILED, look in 60 s",
      "busy, queue off": "FAILED PROVIDER_UNAVAILABLE, release, brand FAILED",
      "busy, under way": "sender KEPT, look in 60 s",
      "not received": "attempt 2, SENT, doubt LOST, sender BEGINS, look in 60 s, then submit",
      "not received, queue off": "FAILED PROVIDER_UNAVAILABLE, release, brand FAILED",
      "not received, under way":
        "attempt 2, SENT, doubt LOST, sender BEGINS, look in 60 s, then submit",
      working: "WORKING, doubt ACCEPTED, look in 300 s",
      unreadable: "sender KEPT, look in 60 s",
      "funds short": "IN_PROGRESS, move, NONE, brand ANSWERED, look in 0 s, then look",
      "funds short, under way": "FAILED INSUFFICIENT_FUNDS, release, brand ANSWERED",
      "failed without a cause": "FAILED PROVIDER_REJECTED, release, brand ANSWERED",
    },
    confirmed: {
      silence: "WORKING, doubt LOST, look in 900 s",
      fulfilled: "DONE, capture, brand ANSWERED",
      "not received": "FAILED PROVIDER_REJECTED, release, brand ANSWERED",
      "not received, guessed": "WORKING, doubt LOST, look in 900 s",
      busy: "FAILED PROVIDER_UNAVAILABLE, release, brand FAILED",
      "not asked yet": "WORKING, doubt LOST, look in 30 s",
    },
  },
  "SENT, due": {
    ...HELD,
    due: {
      here: "IN_PROGRESS, SENT, doubt LOST, brand FAILED, look in 900 s, then inquire",
      elsewhere: "look in 30 s",
      unanswered: "IN_PROGRESS, SENT, doubt LOST, brand FAILED, look in 900 s, then inquire",
      gone: "IN_PROGRESS, SENT, doubt LOST, brand FAILED, look in 900 s, then inquire",
    },
    answered: {
      fulfilled: "DONE, capture, brand ANSWERED",
      rejected: "FAILED PROVIDER_REJECTED, release, brand ANSWERED",
      busy: "IN_PROGRESS, FAILED, brand FAILED, look in 900 s",
      "busy, queue off": "FAILED PROVIDER_UNAVAILABLE, release, brand FAILED",
      "busy beside another": "then await-deadline",
      "maybe booked, queue off": "then confirm",
      working: "WORKING, doubt ACCEPTED, look in 300 s",
      unreadable: "then await-deadline",
      "funds short": "IN_PROGRESS, move, NONE, brand ANSWERED, look in 0 s, then look",
      "funds short, no other provider": "FAILED INSUFFICIENT_FUNDS, release, brand ANSWERED",
      "funds short, guessed": "FAILED INSUFFICIENT_FUNDS, release, brand ANSWERED",
      "funds short beside another": "FAILED INSUFFICIENT_FUNDS, release, brand ANSWERED",
      unreached: "IN_PROGRESS, move, NONE, brand FAILED, look in 0 s, then look",
      "unreached, maybe booked": "IN_PROGRESS, FAILED, doubt LOST, brand FAILED, look in 900 s",
      "recipient refused": "FAILED PROVIDER_REJECTED, release, brand ANSWERED",
    },
    inquired: {
      silence: "sender KEPT, look in 900 s",
      fulfilled: "DONE, capture, brand ANSWERED",
      rejected: "FAILED PROVIDER_REJECTED, release, brand ANSWERED",
      busy: "IN_PROGRESS, FAILED, brand FAILED, look in 900 s",
      "busy, queue off": "FAILED PROVIDER_UNAVAILABLE, release, brand FAILED",
      "busy, under way": "sender KEPT, look in 900 s",
      "not received": "attempt 2, SENT, doubt LOST, sender BEGINS, look in 900 s, then submit",
      "not received, queue off": "FAILED PROVIDER_UNAVAILABLE, release, brand FAILED",
      "not received, under way":
        "attempt 2, SENT, doubt LOST, sender BEGINS, look in 900 s, then submit",
      working: "WORKING, doubt ACCEPTED, look in 300 s",
      unreadable: "sender KEPT, look in 900 s",
      "funds short": "IN_PROGRESS, move, NONE, brand ANSWERED, look in 0 s, then look",
      "funds short, under way": "FAILED INSUFFICIENT_FUNDS, release, brand ANSWERED",
      "failed without a cause": "FAILED PROVIDER_REJECTED, release, brand ANSWERED",
    },
    confirmed: {
      silence: "WORKING, doubt LOST, look in 900 s",
      fulfilled: "DONE, capture, brand ANSWERED",
      "not received": "FAILED PROVIDER_REJECTED, release, brand ANSWERED",
      "not received, guessed": "WORKING, doubt LOST, look in 900 s",
      busy: "FAILED PROVIDER_UNAVAILABLE, release, brand FAILED",
      "not asked yet": "WORKING, doubt LOST, look in 30 s",
    },
  },
  "SENT again, in doubt": {
    ...HELD,
    due: {
      here: "sender HERE, look in 60 s",
      elsewhere: "look in 30 s",
      unanswered: "sender KEPT, look in 60 s",
      gone: "then inquire",
    },
    answered: {
      fulfilled: "DONE, capture, brand ANSWERED",
      rejected: "then confirm",
      busy: "IN_PROGRESS, FAILED, doubt LOST, brand FAILED, look in 60 s",
      "busy, queue off": "then confirm",
      "busy beside another": "then await-deadline",
      "maybe booked, queue off": "then confirm",
      working: "WORKING, doubt ACCEPTED, look in 300 s",
      unreadable: "then await-deadline",
      "funds short": "then confirm",
      "funds short, no other provider": "then confirm",
      "funds short, guessed": "then confirm",
      "funds short beside another": "then confirm",
      unreached: "IN_PROGRESS, FAILED, doubt LOST, brand FAILED, look in 60 s",
      "unreached, maybe booked": "IN_PROGRESS, FAILED, doubt LOST, brand FAILED, look in 60 s",
      "recipient refused": "then confirm",
    },
    inquired: {
      silence: "sender KEPT, look in 60 s",
      fulfilled: "DONE, capture, brand ANSWERED",
      rejected: "FAILED PROVIDER_REJECTED, release, doubt LOST, brand ANSWERED",
      busy: "IN_PROGRESS, FAILED, brand FAILED, look in 60 s",
      "busy, queue off": "FAILED PROVIDER_UNAVAILABLE, release, brand FAILED",
      "busy, under way": "sender KEPT, look in 60 s",
      "not received": "attempt 3, SENT, doubt LOST, sender BEGINS, look in 60 s, then submit",
      "not received, queue off": "FAILED PROVIDER_UNAVAILABLE, release, doubt LOST, brand FAILED",
      "not received, under way":
        "attempt 3, SENT, doubt LOST, sender BEGINS, look in 60 s, then submit",
      working: "WORKING, doubt ACCEPTED, look in 300 s",
      unreadable: "sender KEPT, look in 60 s",
      "funds short": "FAILED INSUFFICIENT_FUNDS, release, doubt LOST, brand ANSWERED",
      "funds short, under way": "FAILED INSUFFICIENT_FUNDS, release, doubt LOST, brand ANSWERED",
      "failed without a cause": "FAILED PROVIDER_REJECTED, release, doubt LOST, brand ANSWERED",
    },
    confirmed: {
      silence: "WORKING, doubt LOST, look in 900 s",
      fulfilled: "DONE, capture, brand ANSWERED",
      "not received": "FAILED PROVIDER_REJECTED, release, doubt LOST, brand ANSWERED",
      "not received, guessed": "WORKING, doubt LOST, look in 900 s",
      busy: "FAILED PROVIDER_UNAVAILABLE, release, doubt LOST, brand FAILED",
      "not asked yet": "WORKING, doubt LOST, look in 30 s",
    },
  },
  WORKING: {
    ...HELD,
    due: {
      here: "then inquire",
      elsewhere: "then inquire",
      unanswered: "then inquire",
      gone: "then inquire",
    },
    answered: "nothing",
    inquired: {
      silence: "WORKING, doubt ACCEPTED, look in 900 s",
      fulfilled: "DONE, capture, brand ANSWERED",
      rejected: "FAILED PROVIDER_REJECTED, release, doubt ACCEPTED, brand ANSWERED",
      busy: "IN_PROGRESS, FAILED, brand FAILED, look in 900 s",
      "busy, queue off": "FAILED PROVIDER_UNAVAILABLE, release, brand FAILED",
      "busy, under way": "sender KEPT, look in 900 s",
      "not received": "attempt 2, SENT, doubt ACCEPTED, sender BEGINS, look in 900 s, then submit",
      "not received, queue off":
        "FAILED PROVIDER_UNAVAILABLE, release, doubt ACCEPTED, brand FAILED",
      "not received, under way":
        "attempt 2, SENT, doubt ACCEPTED, sender BEGINS, look in 900 s, then submit",
      working: "WORKING, doubt ACCEPTED, look in 300 s",
      unreadable: "WORKING, doubt ACCEPTED, look in 900 s",
      "funds short": "IN_PROGRESS, move, NONE, brand ANSWERED, look in 0 s, then look",
      "funds short, under way":
        "FAILED INSUFFICIENT_FUNDS, release, doubt ACCEPTED, brand ANSWERED",
      "failed without a cause": "FAILED PROVIDER_REJECTED, release, doubt ACCEPTED, brand ANSWERED",
    },
    confirmed: "nothing",
  },
  "WORKING, booked": {
    ...HELD,
    due: {
      here: "then inquire",
      elsewhere: "then inquire",
      unanswered: "then inquire",
      gone: "then inquire",
    },
    answered: "nothing",
    inquired: {
      silence: "WORKING, doubt BOOKED, look in 900 s",
      fulfilled: "DONE, capture, brand ANSWERED",
      rejected: "FAILED PROVIDER_REJECTED, release, doubt BOOKED, brand ANSWERED",
      busy: "IN_PROGRESS, FAILED, brand FAILED, look in 900 s",
      "busy, queue off": "FAILED PROVIDER_UNAVAILABLE, release, brand FAILED",
      "busy, under way": "sender KEPT, look in 900 s",
      "not received": "WORKING, doubt BOOKED, look in 900 s",
      "not received, queue off": "WORKING, doubt BOOKED, look in 900 s",
      "not received, under way": "WORKING, doubt BOOKED, look in 900 s",
      working: "WORKING, doubt BOOKED, look in 300 s",
      unreadable: "WORKING, doubt BOOKED, look in 900 s",
      "funds short": "FAILED INSUFFICIENT_FUNDS, release, doubt BOOKED, brand ANSWERED",
      "funds short, under way": "FAILED INSUFFICIENT_FUNDS, release, doubt BOOKED, brand ANSWERED",
      "failed without a cause": "FAILED PROVIDER_REJECTED, release, doubt BOOKED, brand ANSWERED",
    },
    confirmed: "nothing",
  },
  "FAILED attempt": {
    ...HELD,
    due: {
      here: "sender KEPT, look in 60 s",
      elsewhere: "sender KEPT, look in 60 s",
      unanswered: "sender KEPT, look in 60 s",
      gone: "sender KEPT, look in 60 s",
    },
    answered: "nothing",
    inquired: {
      silence: "WORKING, doubt LOST, look in 900 s",
      fulfilled: "DONE, capture, brand ANSWERED",
      rejected: "FAILED PROVIDER_REJECTED, release, brand ANSWERED",
      busy: "IN_PROGRESS, FAILED, brand FAILED, look in 60 s",
      "busy, queue off": "FAILED PROVIDER_UNAVAILABLE, release, brand FAILED",
      "busy, under way": "sender KEPT, look in 60 s",
      "not received": "attempt 2, SENT, sender BEGINS, look in 60 s, then submit",
      "not received, queue off": "FAILED PROVIDER_UNAVAILABLE, release, brand FAILED",
      "not received, under way": "attempt 2, SENT, sender BEGINS, look in 60 s, then submit",
      working: "WORKING, doubt ACCEPTED, look in 300 s",
      unreadable: "WORKING, doubt LOST, look in 900 s",
      "funds short": "IN_PROGRESS, move, NONE, brand ANSWERED, look in 0 s, then look",
      "funds short, under way": "FAILED INSUFFICIENT_FUNDS, release, brand ANSWERED",
      "failed without a cause": "FAILED PROVIDER_REJECTED, release, brand ANSWERED",
    },
    confirmed: "nothing",
  },
  "FAILED attempt, due": {
    ...HELD,
    due: {
      here: "attempt 2, SENT, sender BEGINS, look in 900 s, then submit",
      elsewhere: "attempt 2, SENT, sender BEGINS, look in 900 s, then submit",
      unanswered: "attempt 2, SENT, sender BEGINS, look in 900 s, then submit",
      gone: "attempt 2, SENT, sender BEGINS, look in 900 s, then submit",
    },
    answered: "nothing",
    inquired: {
      silence: "WORKING, doubt LOST, look in 900 s",
      fulfilled: "DONE, capture, brand ANSWERED",
      rejected: "FAILED PROVIDER_REJECTED, release, brand ANSWERED",
      busy: "IN_PROGRESS, FAILED, brand FAILED, look in 900 s",
      "busy, queue off": "FAILED PROVIDER_UNAVAILABLE, release, brand FAILED",
      "busy, under way": "sender KEPT, look in 900 s",
      "not received": "attempt 2, SENT, sender BEGINS, look in 900 s, then submit",
      "not received, queue off": "FAILED PROVIDER_UNAVAILABLE, release, brand FAILED",
      "not received, under way": "attempt 2, SENT, sender BEGINS, look in 900 s, then submit",
      working: "WORKING, doubt ACCEPTED, look in 300 s",
      unreadable: "WORKING, doubt LOST, look in 900 s",
      "funds short": "IN_PROGRESS, move, NONE, brand ANSWERED, look in 0 s, then look",
      "funds short, under way": "FAILED INSUFFICIENT_FUNDS, release, brand ANSWERED",
      "failed without a cause": "FAILED PROVIDER_REJECTED, release, brand ANSWERED",
    },
    confirmed: "nothing",
  },
  moved: {
    ...HELD,
    due: {
      here: "attempt 2, SENT, sender BEGINS, look in 900 s, then submit",
      elsewhere: "attempt 2, SENT, sender BEGINS, look in 900 s, then submit",
      unanswered: "attempt 2, SENT, sender BEGINS, look in 900 s, then submit",
      gone: "attempt 2, SENT, sender BEGINS, look in 900 s, then submit",
    },
    answered: "nothing",
    inquired: {
      silence: "WORKING, doubt LOST, look in 900 s",
      fulfilled: "DONE, capture, brand ANSWERED",
      rejected: "FAILED PROVIDER_REJECTED, release, brand ANSWERED",
      busy: "IN_PROGRESS, FAILED, brand FAILED, look in 900 s",
      "busy, queue off": "FAILED PROVIDER_UNAVAILABLE, release, brand FAILED",
      "busy, under way": "sender KEPT, look in 900 s",
      "not received": "attempt 2, SENT, sender BEGINS, look in 900 s, then submit",
      "not received, queue off": "FAILED PROVIDER_UNAVAILABLE, release, brand FAILED",
      "not received, under way": "attempt 2, SENT, sender BEGINS, look in 900 s, then submit",
      working: "WORKING, doubt ACCEPTED, look in 300 s",
      unreadable: "WORKING, doubt LOST, look in 900 s",
      "funds short": "IN_PROGRESS, move, NONE, brand ANSWERED, look in 0 s, then look",
      "funds short, under way": "FAILED INSUFFICIENT_FUNDS, release, brand ANSWERED",
      "failed without a cause": "FAILED PROVIDER_REJECTED, release, brand ANSWERED",
    },
    confirmed: "nothing",
  },
  "WORKING, may have moved": {
    ...HELD,
    due: {
      here: "then inquire",
      elsewhere: "then inquire",
      unanswered: "then inquire",
      gone: "then inquire",
    },
    answered: "nothing",
    inquired: {
      silence: "WORKING, doubt LOST, look in 900 s",
      fulfilled: "DONE, capture, brand ANSWERED",
      rejected: "FAILED PROVIDER_REJECTED, flagged, release, doubt LOST, brand ANSWERED",
      busy: "FAILED PROVIDER_UNAVAILABLE, flagged, release, doubt LOST",
      "busy, queue off": "FAILED PROVIDER_UNAVAILABLE, flagged, release, doubt LOST",
      "busy, under way": "FAILED PROVIDER_UNAVAILABLE, flagged, release, doubt LOST",
      "not received": "FAILED PROVIDER_UNAVAILABLE, flagged, release, doubt LOST",
      "not received, queue off": "FAILED PROVIDER_UNAVAILABLE, flagged, release, doubt LOST",
      "not received, under way": "FAILED PROVIDER_UNAVAILABLE, flagged, release, doubt LOST",
      working: "WORKING, doubt ACCEPTED, look in 300 s",
      unreadable: "WORKING, doubt LOST, look in 900 s",
      "funds short": "FAILED INSUFFICIENT_FUNDS, flagged, release, doubt LOST, brand ANSWERED",
      "funds short, under way":
        "FAILED INSUFFICIENT_FUNDS, flagged, release, doubt LOST, brand ANSWERED",
      "failed without a cause":
        "FAILED PROVIDER_REJECTED, flagged, release, doubt LOST, brand ANSWERED",
    },
    confirmed: "nothing",
  },
  "WORKING after a day": {
    ...HELD,
    due: {
      here: "then inquire",
      elsewhere: "then inquire",
      unanswered: "then inquire",
      gone: "then inquire",
    },
    answered: "nothing",
    inquired: {
      silence: "FAILED RETRY_WINDOW_EXPIRED, flagged, release, doubt LOST",
      fulfilled: "DONE, capture, brand ANSWERED",
      rejected: "FAILED PROVIDER_REJECTED, release, doubt LOST, brand ANSWERED",
      busy: "FAILED RETRY_WINDOW_EXPIRED, release",
      "busy, queue off": "FAILED RETRY_WINDOW_EXPIRED, release",
      "busy, under way": "sender KEPT, look in 900 s",
      "not received": "FAILED RETRY_WINDOW_EXPIRED, release, doubt LOST",
      "not received, queue off": "FAILED RETRY_WINDOW_EXPIRED, release, doubt LOST",
      "not received, under way": "look in 900 s",
      working: "FAILED RETRY_WINDOW_EXPIRED, flagged, release, doubt LOST",
      unreadable: "FAILED RETRY_WINDOW_EXPIRED, flagged, release, doubt LOST",
      "funds short": "FAILED INSUFFICIENT_FUNDS, release, doubt LOST, brand ANSWERED",
      "funds short, under way": "FAILED INSUFFICIENT_FUNDS, release, doubt LOST, brand ANSWERED",
      "failed without a cause": "FAILED PROVIDER_REJECTED, release, doubt LOST, brand ANSWERED",
    },
    confirmed: "nothing",
  },
  DONE: {
    ...HELD,
    ...NEVER_SENT,
    due: "nothing",
  },
  FAILED: {
    ...HELD,
    ...NEVER_SENT,
    due: "nothing",
  },
};

function listPairs() {
  return Object.entries(STATES).flatMap(([name, purchase]) =>
    Object.entries(EVENTS).map(([kind, variants]) => ({ name, purchase, kind, variants })),
  );
}

describe("decide", () => {
  it.each([
    [2, ["first"], "submit"],
    [3, ["first"], "rest"],
    [4, ["first", "first", "first"], "submit"],
    [5, ["first", "first", "first"], "rest"],
  ])(
    "answers an order that the second provider forgot after %s attempts, of which %j had some, with %s",
    (attempts, refusedBy, next) => {
      const purchase = state("IN_PROGRESS", { attempts, attemptState: "WORKING", refusedBy });
      const event = { kind: "inquired", ...inquired, answer: NOT_RECEIVED, now: NOW } as const;
      expect(decide(purchase, event).next.do).toBe(next);
    },
  );

  it.each([
    ["answered", "SENT", answered],
    ["inquired", "WORKING", inquired],
  ] as const)(
    "inquires after 15 minutes if an unclear answer (%s) requests a longer wait",
    (kind, attemptState, facts) => {
      const purchase = state("IN_PROGRESS", { attempts: 1, attemptState });
      const answer = { ...UNREADABLE, checkAgainAt: NOW + 6 * 60 * MINUTE };
      const event = { kind, ...facts, answer, now: NOW } as PurchaseEvent;
      expect(decide(purchase, event).write?.lookAt).toBe(NOW + 15 * MINUTE);
    },
  );

  it.each(listPairs())("decides about $kind in a $name purchase as the table states", (pair) => {
    const { name, purchase, kind, variants } = pair;
    const decided = Object.entries(variants).map(([variant, facts]) => {
      const event = { kind, now: NOW, ...facts } as PurchaseEvent;
      return [variant, describeDecision(decide(purchase, event))] as const;
    });
    const isNothing = decided.every(([, decision]) => decision === "nothing");
    expect(isNothing ? "nothing" : Object.fromEntries(decided)).toEqual(
      TABLE[name as StateName][kind as Kind],
    );
  });
});
