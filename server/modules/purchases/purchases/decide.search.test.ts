import { describe, expect, it } from "vitest";
import { DAY, MINUTE } from "../../../lib/clock.ts";
import type { ProviderAnswer } from "../../../providers/provider.ts";
import { isFinal } from "../../books/transactions/index.ts";
import { decide } from "./decide.ts";
import type { Decision, Next, NextProvider, PurchaseEvent } from "./decision.ts";
import { failure } from "./decision.ts";
import { addRefusals, type PurchaseState, RETRY_INTERVAL_MS } from "./retry-policy.ts";

/*
 * Searches every sequence of events up to a depth. The provider answers truthfully or not at all,
 * the network loses and delays requests, the process stops, and the clock is moved forward. Three
 * providers sell the product. Each event is followed by checks of the money, the orders and the next
 * job.
 */

const DEPTH = 15;

/** True state of the order at a provider. The purchase's id is the idempotency key there. */
type Order = "ABSENT" | "WORKING" | "DELIVERED" | "REJECTED" | "FAILED";

const FULFILLED = {
  kind: "fulfilled",
  fulfilment: {
    confirmation: { confirmationNumber: "1", externalReferenceId: "1", transactionTime: "" },
  },
} as const;

const PROVIDERS = ["first", "p2", "p3"];
const FUNDS_SHORT = {
  kind: "rejected",
  code: "PROVIDER_REJECTED",
  message: "",
  cause: "FUNDS_SHORT",
} as const;

interface World {
  now: number;
  /** Running time, which a moved clock does not change. */
  ran: number;
  purchase: PurchaseState;
  money: "FREE" | "HELD" | "CAPTURED" | "RELEASED";
  isFlagged: boolean;
  /** By provider, in the order of `PROVIDERS`. */
  orders: readonly Order[];
  /** Index of the purchase's provider. */
  at: number;
  /** Whether the provider has confirmed that it has the order. */
  isBooked: boolean;
  /** Running time until which the submission can arrive, and its provider. */
  arrivesUntil: number | undefined;
  arrivesAt: number;
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
    refusedBy: [],
    mayHaveMoved: false,
  },
  money: "FREE",
  isFlagged: false,
  orders: PROVIDERS.map(() => "ABSENT"),
  at: 0,
  isBooked: false,
  arrivesUntil: undefined,
  arrivesAt: 0,
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
  if (ledger === "capture") to.money = "CAPTURED";
  if (ledger === "release") to.money = "RELEASED";
  if (write?.following) {
    const refusedBy = addRefusals(world.purchase, PROVIDERS[world.at] ?? "");
    to.purchase = { ...to.purchase, refusedBy };
    to.at = PROVIDERS.indexOf(write.following.name);
    to.isBooked = false;
  }
  if (event.kind === "due" && next.do === "inquire") to.awaited = undefined;
  if (isInquiry && attempt.unknownFor_ms !== undefined) to.lastAskedAt = world.ran;
  if (next.do === "submit") {
    to.arrivesUntil = world.ran + RETRY_INTERVAL_MS;
    to.arrivesAt = world.at;
    to.awaited = { isAlone: next.isAlone };
    to.lastAskedAt = world.ran;
    to.next = { do: "rest" };
  }
  if (next.do === "await-deadline") to.next = { do: "rest" };
  if (next.do === "look") Object.assign(to, { next: { do: "rest" }, lookAt: world.now });
  return { name: event.kind, to, event, decision };
}

function orderOf({ orders, at }: World): Order {
  return orders[at] ?? "ABSENT";
}

function withOrder(world: World, at: number, order: Order): World {
  return { ...world, orders: world.orders.with(at, order) };
}

/** Lists the providers to which the engine can move the purchase: without a backup, one of them. */
function followingOf({ purchase, at, restores }: World): (NextProvider | undefined)[] {
  const others = PROVIDERS.filter(
    (name, index) => index !== at && !purchase.refusedBy.includes(name),
  );
  const chosen = restores === 0 ? others.slice(0, 1) : others;
  const terms = { supply: undefined, costBase: 1, costFee: 0 };
  return [undefined, ...chosen.map((name) => ({ ...terms, name }))];
}

function outcomesOf(world: World): (ProviderAnswer | undefined)[] {
  const { isBooked, now } = world;
  const silence = [undefined, { kind: "unreadable", message: "" } as const];
  const working = { kind: "working", checkAgainAt: now + MINUTE } as const;
  switch (orderOf(world)) {
    case "ABSENT":
      return [...silence, { kind: "not-received" }];
    case "WORKING":
      return [...silence, working, ...(isBooked ? [{ kind: "not-received" } as const] : [])];
    case "DELIVERED":
      return [...silence, working, FULFILLED];
    case "REJECTED":
      return [
        ...silence,
        { kind: "rejected", code: "PROVIDER_REJECTED", message: "" },
        FUNDS_SHORT,
      ];
    case "FAILED":
      return [...silence, { kind: "recoverable", message: "" }];
  }
}

/** Lists the possible answers. After a proxy's refusal, the submission may have arrived or not. */
function answersOf(world: World): ProviderAnswer[] {
  const { now } = world;
  const busy = { kind: "recoverable", message: "busy" } as const;
  const proxy = { ...busy, mayBeBooked: true, cause: "UNREACHED" } as const;
  const unreadable = { kind: "unreadable", message: "" } as const;
  const working = { kind: "working", checkAgainAt: now + MINUTE } as const;
  switch (orderOf(world)) {
    case "ABSENT": {
      const clear = [{ ...busy, cause: "UNREACHED" } as const, FUNDS_SHORT];
      return [busy, { ...busy, retryAfter_ms: MINUTE }, proxy, ...clear];
    }
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
          for (const following of followingOf(world)) {
            const inquired = { kind: "inquired", answer, isOver, queueOn, asked_ms, now } as const;
            yield carryOut(heard, { ...inquired, following });
          }
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
  const { arrivesUntil, arrivesAt, orders } = world;
  if (world.restores === 0) {
    // A restored backup from before the submission, marked as by `doubtUnfinished`. The submission
    // has arrived or is lost.
    const marks = { attemptState: "WORKING", doubt: "LOST", mayHaveMoved: true } as const;
    const purchase = { ...START.purchase, ...marks };
    const { now, ran, jumps } = world;
    const restored = { ...START, now, ran, jumps, orders, lookAt: now, purchase };
    yield { name: "restored", to: { ...restored, restores: 1 } };
  }
  if (arrivesUntil !== undefined) {
    const arrived = { ...world, arrivesUntil: undefined };
    yield { name: "lost on the way", to: arrived };
    const order = orders[arrivesAt] ?? "ABSENT";
    const takes = order === "ABSENT" || order === "FAILED";
    for (const becomes of takes
      ? (["WORKING", "DELIVERED", "REJECTED", "FAILED"] as const)
      : [order]) {
      yield { name: `arrives: ${becomes}`, to: withOrder(arrived, arrivesAt, becomes) };
    }
  }
  for (const [index, order] of orders.entries()) {
    if (order !== "WORKING") continue;
    const name = PROVIDERS[index];
    yield { name: `${name} delivers`, to: withOrder(world, index, "DELIVERED") };
    yield { name: `${name} refuses`, to: withOrder(world, index, "REJECTED") };
  }
}

function* answers(world: World): Generator<Move> {
  const { now, awaited } = world;
  if (!awaited || world.purchase.attemptState !== "SENT") return;
  for (const answer of answersOf(world)) {
    const isHeard = answer.kind === "working" && answer.isBooked === true;
    const isBooked = world.isBooked || isHeard;
    const heard = { ...world, awaited: undefined, arrivesUntil: undefined, isBooked };
    const { isAlone } = awaited;
    for (const queueOn of queuesFor(answer)) {
      for (const following of followingOf(world)) {
        yield carryOut(heard, { kind: "answered", answer, queueOn, now, isAlone, following });
      }
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
  if (status === "DONE" && (orderOf(to) !== "DELIVERED" || to.money !== "CAPTURED")) {
    return "it is done, and was not delivered or not paid for";
  }
  if (to.orders.filter((order) => order === "DELIVERED").length > 1) {
    return "two providers delivered it";
  }
  if (write?.ledger === "move" && mayDeliver(to, from.at)) {
    return "it moved, and the earlier provider has delivered it or may deliver it";
  }
  if (write?.following && write.ledger !== "move") return "it moved without its hold";
  const mayBeDelivered = to.orders.some((_, index) => mayDeliver(to, index));
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
    const isElsewhere = to.orders.some((_, index) => index !== from.at && mayDeliver(from, index));
    if (isElsewhere) return "it is submitted while another provider may deliver it";
  }
  if (event && !isFinal(status) && to.next.do === "rest" && to.lookAt === undefined) {
    return "it is open, and nobody will look at it";
  }
  return undefined;
}

function mayDeliver({ orders, arrivesUntil, arrivesAt }: World, index: number): boolean {
  const order = orders[index];
  const mayArrive = arrivesUntil !== undefined && arrivesAt === index;
  if (order === "ABSENT" || order === "FAILED") return mayArrive;
  return order === "DELIVERED" || order === "WORKING";
}

/** Returns a key of the world, in which times are relative to now. */
function keyOf(world: World): string {
  const { now, ran, purchase, lookAt, lastAskedAt, arrivesUntil, ...others } = world;
  const { nextAttemptAt, attempts, transaction, refusedBy, ...state } = purchase;
  const from = (at: number | undefined, zero: number) => (at === undefined ? "-" : at - zero);
  return JSON.stringify([
    others,
    state,
    transaction.status,
    [...new Set(refusedBy)],
    Math.min(attempts - refusedBy.length, 2),
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
