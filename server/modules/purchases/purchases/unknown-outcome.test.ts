import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import type { Provider, ProviderAnswer } from "../../../providers/provider.ts";
import { fulfilmentOf } from "../../../providers/simulator/simulator.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { doubtUnfinished } from "./index.ts";

/**
 * A timeout alone never decides an unknown outcome (rules#purchase-clock-decides-nothing): after a
 * downtime or a change of the clock, the provider is queried for a day of running time.
 */
let till: TestGateway;
/** Undefined while the provider is unreachable. */
let says: ProviderAnswer["kind"] | undefined;
let questions: number;
let submissions: number;
let inquiry: Provider["inquiry"];

/** A provider that accepts every order without an answer. An inquiry returns `says`. */
const silent: Provider = {
  get inquiry() {
    return inquiry;
  },
  submit(_order, signal) {
    submissions += 1;
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("no answer")), { once: true });
    });
  },
  async inquire(order): Promise<ProviderAnswer> {
    questions += 1;
    switch (says) {
      case undefined:
        throw new Error("cannot be reached");
      case "fulfilled":
        return { kind: says, fulfilment: fulfilmentOf(order, till.clock.now()) };
      case "rejected":
        return { kind: says, code: "PROVIDER_REJECTED", message: "The provider refused it." };
      case "recoverable":
        return { kind: says, message: "the provider is busy" };
      case "working":
        return { kind: says, checkAgainAt: till.clock.now() + SECOND };
      case "not-received":
        return { kind: says };
      case "unreadable":
        return { kind: says, message: "its answer cannot be read (status)" };
    }
  },
  refund: () => Promise.reject(new Error("nobody asks for a refund here")),
  readEsim: () => Promise.reject(new Error("nobody asks for a plan here")),
  findBill: () => Promise.reject(new Error("nobody asks for a bill here")),
};

beforeEach(async () => {
  says = undefined;
  inquiry = undefined;
  questions = 0;
  submissions = 0;
  till = await startTestGateway({ providers: { test: silent } });
  await till.v1("POST", "/topups/purchases", {
    offerId: "TIGO_GT_TOPUP_25",
    transactionId: "unknown",
    recipientPhoneNumber: "+50251234567",
  });
  await till.settle();
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
});

async function outcome(): Promise<string> {
  const { status, error } = (await till.v1("GET", "/topups/purchases/unknown")).body;
  return error?.code ?? status;
}

async function available(): Promise<number> {
  return (await till.v1("GET", "/balance")).body.availableBalance;
}

async function stayOff(milliseconds: number): Promise<void> {
  await till.gateway.close();
  till.clock.jump(milliseconds);
  await till.restart();
  await till.settle();
}

describe("a purchase with an unknown outcome, after the gateway was off for 25 hours", () => {
  it.each([undefined, "working"] as const)(
    "stays unfinished while the provider is %s, for a day of running time, and is then reported to the owner",
    async (answer) => {
      says = answer;
      await stayOff(25 * HOUR);
      await till.advance(MINUTE);
      expect(await outcome()).toBe("IN_PROGRESS");
      expect(questions).toBeGreaterThan(0);
      const before = await available();
      await till.advance(23 * HOUR);
      expect([await outcome(), await available()]).toEqual(["IN_PROGRESS", before]);
      await till.advance(HOUR + 15 * MINUTE);
      expect(await outcome()).toBe("RETRY_WINDOW_EXPIRED");
      expect(await available()).toBeGreaterThan(before);
      const shop = { accountId: "default", environment: "test" } as const;
      const { reconciliation } = till.gateway.context;
      const { list } = await reconciliation.list(shop, { limit: 10, offset: 0 });
      expect(list.map(({ transactionId }) => transactionId)).toEqual(["unknown"]);
    },
  );

  it("completes as soon as the provider can be queried and reports the delivery", async () => {
    await stayOff(25 * HOUR);
    await till.advance(3 * HOUR);
    says = "fulfilled";
    await till.advance(15 * MINUTE);
    expect(await outcome()).toBe("DONE");
  });

  it.each([
    ["rejected", "PROVIDER_REJECTED"],
    ["recoverable", "RETRY_WINDOW_EXPIRED"],
    ["not-received", "RETRY_WINDOW_EXPIRED"],
  ] as const)("ends as soon as the provider reports %s", async (answer, code) => {
    says = answer;
    await stayOff(25 * HOUR);
    await till.advance(31 * MINUTE);
    expect(await outcome()).toBe(code);
  });

  it("causes an inquiry at most every 15 minutes, and counts only running time", async () => {
    await stayOff(25 * HOUR);
    for (let turn = 0; turn < 5; turn++) {
      await till.advance(2 * HOUR);
      await stayOff(DAY);
      till.clock.jump(DAY);
      await till.advance(MINUTE);
    }
    expect(await outcome()).toBe("IN_PROGRESS");
    const asked = questions;
    await till.advance(5 * HOUR);
    expect(questions - asked).toBeLessThanOrEqual(20);
    await till.advance(10 * HOUR);
    expect(await outcome()).toBe("RETRY_WINDOW_EXPIRED");
  });
});

describe("a purchase with an unknown outcome after 24 hours of inquiries", () => {
  it("fails because its retry window has expired", async () => {
    await till.advance(DAY - SECOND);
    expect(await outcome()).toBe("IN_PROGRESS");
    await till.advance(SECOND);
    expect(await outcome()).toBe("RETRY_WINDOW_EXPIRED");
  });
});

describe.each([
  ["without inquiries", "none"],
  ["whose inquiries list orders", "by-listing"],
] as const)("a purchase at a provider %s", (_, manner) => {
  it("gets one submission, and the owner reconciles its unknown outcome", async () => {
    says = "not-received";
    inquiry = manner;
    await till.advance(HOUR);
    await till.restart();
    await till.advance(DAY);
    expect([await outcome(), submissions]).toEqual(["RETRY_WINDOW_EXPIRED", 1]);
    expect(questions > 0).toBe(manner === "by-listing");
    const shop = { accountId: "default", environment: "test" } as const;
    const { list } = await till.gateway.context.reconciliation.list(shop, { limit: 10, offset: 0 });
    expect(list.map(({ transactionId }) => transactionId)).toEqual(["unknown"]);
  });
});

describe("a clock that keeps jumping forward", () => {
  it("does not delay the end of a purchase that the provider never received", async () => {
    says = "not-received";
    for (let hours = 0; hours < 48; hours++) {
      till.clock.jump(HOUR);
      await till.advance(MINUTE);
    }
    expect(await outcome()).toBe("RETRY_WINDOW_EXPIRED");
  });
});

describe("a purchase in a restored backup, which may have been delivered after the backup", () => {
  it("appears in the owner's reconciliation if it is refused before money is held", async () => {
    const { brandPauses, db, reconciliation, transactor } = till.gateway.context;
    const shop = { accountId: "default", environment: "test" } as const;
    await brandPauses.pause({ ...shop, staffId: undefined }, "TIGO");
    await till.v1("POST", "/topups/purchases", {
      offerId: "TIGO_GT_TOPUP_25",
      transactionId: "copied",
      recipientPhoneNumber: "+50251234567",
    });
    await till.settle();
    await transactor.transact("default", (tx) => doubtUnfinished(tx));
    expect(await db.selectFrom("purchases").select("doubt").execute()).not.toContainEqual({
      doubt: "NONE",
    });
    await till.advance(DAY);
    const { body } = await till.v1("GET", "/topups/purchases/copied");
    expect(body.error).toMatchObject({ message: "The provider was paused for 24 hours." });
    const { list } = await reconciliation.list(shop, { limit: 10, offset: 0 });
    expect(list.map(({ transactionId }) => transactionId)).toContain("copied");
  });
});
