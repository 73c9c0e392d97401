import { describe, expect, it } from "vitest";
import { DAY, MINUTE } from "../../../lib/clock.ts";
import type { ProviderAnswer } from "../../../providers/provider.ts";
import { isFinal } from "../../books/transactions/index.ts";
import { decide } from "./decide.ts";
import type { Decision, Next, PurchaseEvent } from "./decision.ts";
import { failure } from "./decision.ts";
import { type PurchaseState, RETRY_INTERVAL_MS } from "./retry-policy.ts";

/*
 * Searches every sequence of events up to a depth. The provider answers truthfully or not at all,
 * the network loses and delays requests, the process stops, and the clock is moved forward. Each
 * event is followed by checks of the money, the order and the next job.
 */

const DEPTH = 15;

/** True state of the order at the provider. The purchase's id is the idempotency key. */
type Order = "ABSENT" | "WORKING" | "DELIVERED" | "REJECTED" | "FAILED";

const FULFILLED = {
  kind: "fulfilled",
  fulfilment: {
    confirmation: { confirmationNumber: "1", externalReferenceId: "1", transactionTime: "" },
  },
} as const;

interface World {
  now: number;
  /** Running time, which a moved clock does not change. */
  ran: number;
  purchase: PurchaseState;
  money: "FREE" | "HELD" | "CAPTURED" | "RELEASED";
  isFlagged: boolean;
  order: Order;
  /** Whether the provider has confirmed that it has the order. */
  isBooked: boolean;
  /** Running time until which the submission can arrive. */
  arrivesUntil: number | undefined;
  /** Present while this process waits for the answer. */
  awaited: { isAlone: boolean } | undefined;
  lookAt: number | undefined;
  lastAskedAt: number | undefined;
  next: Next;
  jumps: number;
  restores: number;
}

interface Move {
  name: string;
  to: World;
  /** Absent if only the outside world changed. */
  event?: PurchaseEvent;
  decision?: Decision;
}

const START: World = {
  now: 0,
  ran: 0,
  purchase: {
    transaction: { status: "ACCEPTED", createdAt: 0, training: false, log: { length: 1 } },
    attempts: 0,
    attemptState: "NONE",
    nextAttemptAt: undefined,
    unknownFor_ms: 0,
    doubt: "NONE",
  },
  money: "FREE",
  isFlagged: false,
  order: "ABSENT",
  isBooked: false,
  arrivesUntil: undefined,
  awaited: undefined,
  lookAt: 0,
  lastAskedAt: undefined,
  next: { do: "rest" },
  jumps: 0,
  restores: 0,
};

function carryOut(world: World, event: PurchaseEvent): Move {
  const decision = decide(world.purchase, event);
  const { write, next } = decision;
  const last = write?.steps.at(-1);
  const { ledger, attempt = {} } = write ?? {};
  const status = last?.to ?? world.purchase.transaction.status;
  const isInquiry = event.kind === "inquired";
  const to: World = {
    ...world,
    purchase: {
      ...world.purchase,
      ...attempt,
      transaction: { ...world.purchase.transaction, status },
    },
    isFlagged: world.isFlagged || last?.needsReconciliation === true,
    lookAt: isFinal(status) ? undefined : (write?.lookAt ?? world.lookAt),
    next,
  };
  if (event.kind === "funds-held") to.money = "HELD";
  if (ledger) to.money = ledger === "capture" ? "CAPTURED" : "RELEASED";
  if (event.kind === "due" && next.do === "inquire") to.awaited = undefined;
  if (isInquiry && attempt.unknownFor_ms !== undefined) to.lastAskedAt = world.ran;
  if (next.do === "submit") {
    to.arrivesUntil = world.ran + RETRY_INTERVAL_MS;
    to.awaited = { isAlone: next.isAlone };
    to.lastAskedAt = world.ran;
    to.next = { do: "rest" };
  }
  if (next.do === "await-deadline") to.next = { do: "rest" };
  if (next.do === "look") Object.assign(to, { next: { do: "rest" }, lookAt: world.now });
  return { name: event.kind, to, event, decision };
}

function outcomesOf({ order, isBooked, now }: World): (ProviderAnswer | undefined)[] {
  const silence = [undefined, { kind: "unreadable", message: "" } as const];
  const working = { kind: "working", checkAgainAt: now + MINUTE } as const;
  switch (order) {
    case "ABSENT":
      return [...silence, { kind: "not-received" }];
    case "WORKING":
      return [...silence, working, ...(isBooked ? [{ kind: "not-received" } as const] : [])];
    case "DELIVERED":
      return [...silence, working, FULFILLED];
    case "REJECTED":
      return [...silence, { kind: "rejected", code: "PROVIDER_REJECTED", message: "" }];
    case "FAILED":
      return [...silence, { kind: "recoverable", message: "" }];
  }
}

/** Lists the possible answers. After a proxy's refusal, the submission may have arrived or not. */
function answersOf({ order, now }: World): ProviderAnswer[] {
  const busy = { kind: "recoverable", message: "busy" } as const;
  const proxy = { ...busy, mayBeBooked: true } as const;
  const unreadable = { kind: "unreadable", message: "" } as const;
  const working = { kind: "working", checkAgainAt: now + MINUTE } as const;
  switch (order) {
    case "ABSENT":
      return [busy, { ...busy, retryAfter_ms: MINUTE }, proxy];
    case "WORKING":
      return [unreadable, proxy, working, { ...working, isBooked: true }];
    case "DELIVERED":
      return [unreadable, proxy, FULFILLED];
    case "REJECTED":
      return [proxy, { kind: "rejected", code: "PROVIDER_REJECTED", message: "" }];
    case "FAILED":
      return [proxy, busy];
  }
}

function* movesOf(world: World): Generator<Move> {
  const { now, next, purchase } = world;
  yield* worldMoves(world);
  switch (next.do) {
    case "hold":
      yield carryOut(world, { kind: "funds-held", now });
      yield carryOut(world, {
        kind: "funds-short",
        now,
        reason: failure("INSUFFICIENT_FUNDS", "short"),
        figures: {},
      });
      return;
    case "verify":
      for (const verdict of ["allowed", "blocked", "unverified"] as const) {
        const asked = carryOut(world, { kind: "verifying", isAsked: true, now }).to;
        yield carryOut({ ...asked, next: { do: "rest" } }, { kind: "verified", verdict, now });
      }
      return;
    case "inquire": {
      const { isOver } = next;
      const asked_ms = Math.min(world.ran - (world.lastAskedAt ?? world.ran), RETRY_INTERVAL_MS);
      for (const answer of outcomesOf(world)) {
        const isHeard = answer?.kind === "working" && answer.isBooked === true;
        const heard = { ...world, isBooked: world.isBooked || isHeard };
        for (const queueOn of queuesFor(answer)) {
          yield carryOut(heard, { kind: "inquired", answer, isOver, queueOn, asked_ms, now });
        }
      }
      return;
    }
    case "confirm": {
      const { refusal } = next;
      for (const answer of outcomesOf(world)) {
        yield carryOut(world, { kind: "confirmed", refusal, answer, queueOn: false, now });
      }
      return;
    }
    default:
  }
  if (isFinal(purchase.transaction.status)) return;
  yield* answers(world);
  yield* looks(world);
}

function queuesFor(answer: ProviderAnswer | undefined): boolean[] {
  return answer?.kind === "recoverable" || answer?.kind === "not-received"
    ? [true, false]
    : [false];
}

/** Lists changes that the engine does not see. */
function* worldMoves(world: World): Generator<Move> {
  const { order, arrivesUntil } = world;
  if (world.restores === 0) {
    // A restored backup from before the submission, marked as by `doubtUnfinished`. The submission
    // has arrived or is lost.
    const purchase = { ...START.purchase, attemptState: "WORKING", doubt: "LOST" } as const;
    const { now, ran, jumps } = world;
    const restored = { ...START, now, ran, jumps, order, lookAt: now, purchase };
    yield { name: "restored", to: { ...restored, restores: 1 } };
  }
  if (arrivesUntil !== undefined) {
    const arrived = { ...world, arrivesUntil: undefined };
    yield { name: "lost on the way", to: arrived };
    const takes = order === "ABSENT" || order === "FAILED";
    for (const becomes of takes
      ? (["WORKING", "DELIVERED", "REJECTED", "FAILED"] as const)
      : [order]) {
      yield { name: `arrives: ${becomes}`, to: { ...arrived, order: becomes } };
    }
  }
  if (order === "WORKING") {
    yield { name: "the provider delivers", to: { ...world, order: "DELIVERED" } };
    yield { name: "the provider refuses", to: { ...world, order: "REJECTED" } };
  }
}

function* answers(world: World): Generator<Move> {
  const { now, awaited } = world;
  if (!awaited || world.purchase.attemptState !== "SENT") return;
  for (const answer of answersOf(world)) {
    const isHeard = answer.kind === "working" && answer.isBooked === true;
    const isBooked = world.isBooked || isHeard;
    const heard = { ...world, awaited: undefined, arrivesUntil: undefined, isBooked };
    for (const queueOn of queuesFor(answer)) {
      yield carryOut(heard, { kind: "answered", answer, queueOn, now, isAlone: awaited.isAlone });
    }
  }
}

/** Lists runs of the job: when due, after a stop, or after the clock was moved forward. */
function* looks(world: World): Generator<Move> {
  const { now, lookAt, jumps } = world;
  const passed = (lookAt ?? now) - now;
  yield* look(afterTime(world, Math.max(passed, 0)), "GONE");
  if (world.purchase.attemptState === "SENT" || world.purchase.attemptState === "WORKING") {
    yield* look({ ...world, awaited: undefined }, "GONE");
    yield* look({ ...world, awaited: undefined }, "UNANSWERED");
  }
  if (jumps === 0) {
    const jumped = { ...world, now: now + 2 * DAY, jumps: 1, awaited: undefined };
    yield* look(jumped, "GONE");
  }
}

function* look(world: World, left: "GONE" | "UNANSWERED"): Generator<Move> {
  const { now, purchase, awaited } = world;
  const { status } = purchase.transaction;
  if (status === "ACCEPTED" || status === "PENDING") {
    const start = { kind: "started", obstacle: undefined, now } as const;
    yield carryOut(world, {
      ...start,
      obstacle: failure("PROVIDER_NOT_CONFIGURED", "none"),
      brand: "OPEN",
      verification: "NONE",
    });
    for (const brand of ["OPEN", "PAUSED", "PROBED"] as const) {
      for (const verification of ["NONE", "WANTED", "ALLOWED"] as const) {
        yield carryOut(world, { ...start, brand, verification });
      }
    }
    return;
  }
  const sender = awaited ? ({ state: "HERE" } as const) : ({ state: left } as const);
  const isIntervalOver =
    world.lastAskedAt !== undefined && world.ran - world.lastAskedAt >= RETRY_INTERVAL_MS;
  yield carryOut(world, { kind: "due", sender, isIntervalOver, now });
}

function afterTime(world: World, passed: number): World {
  const ran = world.ran + passed;
  const isLate = world.arrivesUntil !== undefined && ran >= world.arrivesUntil;
  return {
    ...world,
    now: world.now + passed,
    ran,
    arrivesUntil: isLate ? undefined : world.arrivesUntil,
  };
}

function findFault(from: World, { to, event, decision }: Move): string | undefined {
  const before = from.purchase.transaction.status;
  const { status } = to.purchase.transaction;
  const write = decision?.write;
  if (isFinal(before) && write) return "an ended purchase is written to";
  if (write?.ledger && from.money !== "HELD") {
    return `${write.ledger} of money that is ${from.money}`;
  }
  if (isFinal(status) && to.money === "HELD") return "it ended, and its money is still held";
  if (!isFinal(status) && (to.money === "CAPTURED" || to.money === "RELEASED")) {
    return "its money was moved before its end";
  }
  if (status === "DONE" && (to.order !== "DELIVERED" || to.money !== "CAPTURED")) {
    return "it is done, and was not delivered or not paid for";
  }
  const mayArrive =
    to.arrivesUntil !== undefined && (to.order === "ABSENT" || to.order === "FAILED");
  const mayBeDelivered = to.order === "DELIVERED" || to.order === "WORKING" || mayArrive;
  if (event && status === "FAILED" && before !== "FAILED" && mayBeDelivered && !to.isFlagged) {
    return "it failed unflagged, and is or may be delivered";
  }
  if (decision?.next.do === "submit") {
    const isKnown =
      from.purchase.attemptState === "NONE" ||
      from.purchase.attemptState === "FAILED" ||
      (event?.kind === "inquired" && event.answer?.kind === "not-received");
    if (!isKnown) return "it is submitted while the outcome of an attempt is unknown";
    if (to.money !== "HELD") return "it is submitted without money held";
  }
  if (event && !isFinal(status) && to.next.do === "rest" && to.lookAt === undefined) {
    return "it is open, and nobody will look at it";
  }
  return undefined;
}

/** Returns a key of the world, in which times are relative to now. */
function keyOf(world: World): string {
  const { now, ran, purchase, lookAt, lastAskedAt, arrivesUntil, ...others } = world;
  const { nextAttemptAt, attempts, transaction, ...state } = purchase;
  const from = (at: number | undefined, zero: number) => (at === undefined ? "-" : at - zero);
  return JSON.stringify([
    others,
    state,
    transaction.status,
    Math.min(attempts, 2),
    Math.min(now, 2 * DAY),
    from(nextAttemptAt, now),
    from(lookAt, now),
    from(lastAskedAt, ran),
    from(arrivesUntil, ran),
  ]);
}

interface Found {
  worlds: number;
  events: number;
  sequences: bigint;
  fault: { why: string; path: string[] } | undefined;
}

function search(depth: number): Found {
  interface Reached {
    world: World;
    ways: bigint;
    path: string[];
  }
  const seen = new Set<string>();
  let level = new Map<string, Reached>([[keyOf(START), { world: START, ways: 1n, path: [] }]]);
  const found: Found = { worlds: 0, events: 0, sequences: 0n, fault: undefined };
  for (let step = 0; step < depth; step++) {
    const following = new Map<string, Reached>();
    for (const { world, ways, path } of level.values()) {
      for (const move of movesOf(world)) {
        found.events += 1;
        found.sequences += ways;
        const why = findFault(world, move);
        if (why !== undefined) return { ...found, fault: { why, path: [...path, move.name] } };
        const key = keyOf(move.to);
        const other = following.get(key);
        if (other) other.ways += ways;
        else if (!seen.has(key)) {
          following.set(key, { world: move.to, ways, path: [...path, move.name] });
        }
      }
    }
    for (const key of following.keys()) seen.add(key);
    level = following;
  }
  return { ...found, worlds: seen.size };
}

describe("decide", () => {
  it("follows the rules about money in every sequence of events", () => {
    const { fault, ...searched } = search(DEPTH);
    expect(fault).toBeUndefined();
    // A search through few states would prove little.
    expect(searched.worlds).toBeGreaterThan(1_000);
  });
});
