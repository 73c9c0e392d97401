import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
});
afterEach(async () => {
  await till.expectCleanBooks();
  await till.close();
});

const GOOD = "+50251234567";
/** The provider is never available for this number. */
const BAD = "+50251239004";

async function buy(
  transactionId: string,
  recipientPhoneNumber = GOOD,
  offerId = "TIGO_GT_TOPUP_25",
) {
  const body = { offerId, transactionId, recipientPhoneNumber };
  await till.v1("POST", "/topups/purchases", body);
  await till.settle();
  return statusOf(transactionId);
}

async function read(transactionId: string) {
  return (await till.v1("GET", `/topups/purchases/${transactionId}`)).body;
}

async function statusOf(transactionId: string): Promise<string> {
  return (await read(transactionId)).status;
}

async function pausedSince(): Promise<string | undefined> {
  const phone = (await owner.pos("GET", `/phone?number=${encodeURIComponent(GOOD)}`)).body;
  return phone.brands.find(({ brand }: { brand: string }) => brand === "TIGO").pausedSince;
}

async function breakBrand(): Promise<void> {
  for (let n = 1; n <= 5; n++) {
    expect(await pausedSince()).toBeUndefined();
    expect(await buy(`bad-${n}`, BAD)).toBe("IN_PROGRESS");
  }
}

describe("a brand whose provider keeps failing", () => {
  it("pauses after five consecutive failures, so that new sales wait without a hold", async () => {
    await breakBrand();
    expect(await pausedSince()).toBe(new Date(till.clock.now()).toISOString());
    const before = (await till.v1("GET", "/balance")).body.availableBalance;
    expect(await buy("waits")).toBe("PENDING");
    const { log } = await read("waits");
    expect(log.at(-1).statusMessage).toBe("Waiting: provider paused");
    expect((await till.v1("GET", "/balance")).body.availableBalance).toBe(before);
    expect(await buy("other-brand", GOOD, "CLARO_GT_TOPUP_25")).toBe("IN_PROGRESS");
  });

  it("resumes when the sale that is sent after a minute is delivered", async () => {
    await breakBrand();
    await buy("first");
    await buy("second");
    await till.advance(MINUTE - 1);
    expect([await statusOf("first"), await statusOf("second")]).toEqual(["PENDING", "PENDING"]);
    await till.restart();
    await till.advance(1);
    expect([await statusOf("first"), await statusOf("second")]).toEqual(["IN_PROGRESS", "PENDING"]);
    await till.advance(SECOND);
    expect([await statusOf("first"), await statusOf("second")]).toEqual(["DONE", "IN_PROGRESS"]);
    expect(await pausedSince()).toBeUndefined();
    await till.advance(SECOND);
    expect(await statusOf("second")).toBe("DONE");
  });

  it("sends one waiting sale a minute while sales fail, or the next new sale if none waits", async () => {
    await breakBrand();
    for (const n of [1, 2, 3]) await buy(`waits-${n}`, BAD);
    const begun = async () => {
      const all = [1, 2, 3].map((n) => statusOf(`waits-${n}`));
      return (await Promise.all(all)).filter((status) => status !== "PENDING").length;
    };
    for (const count of [1, 2, 3]) {
      await till.advance(MINUTE);
      expect(await begun()).toBe(count);
    }
    await till.advance(5 * MINUTE);
    expect(await buy("fresh")).toBe("IN_PROGRESS");
    await till.advance(SECOND);
    expect(await statusOf("fresh")).toBe("DONE");
    expect(await pausedSince()).toBeUndefined();
  });

  it("does not pause after failures with clear answers between them", async () => {
    for (let n = 1; n <= 8; n++) {
      await buy(`bad-${n}`, BAD);
      if (n % 4 === 0) expect(await buy(`refused-${n}`, "+50251239001")).toBe("FAILED");
    }
    expect(await pausedSince()).toBeUndefined();
  });
});

describe("a brand paused by an owner", () => {
  const PAUSE = "/brands/TIGO/pause?environment=test";

  it("sells nothing until the owner resumes it, even if an earlier sale is delivered", async () => {
    await buy("under-way", "+50251239007");
    const paused = (await owner.pos("PUT", PAUSE)).body.list;
    expect(paused).toEqual([{ brand: "TIGO", pausedSince: expect.any(String), byHand: true }]);
    expect(await buy("waits")).toBe("PENDING");
    await till.advance(HOUR);
    expect([await statusOf("under-way"), await statusOf("waits")]).toEqual(["DONE", "PENDING"]);
    expect((await owner.pos("DELETE", PAUSE)).body.list).toEqual([]);
    await till.advance(SECOND);
    expect(await statusOf("waits")).toBe("DONE");
    expect((await owner.pos("DELETE", PAUSE)).status).toBe(404);
    expect((await owner.pos("PUT", "/brands/NOBODY/pause?environment=test")).status).toBe(404);
  });

  it("fails purchases that have waited for 24 hours, without a charge", async () => {
    await owner.pos("PUT", PAUSE);
    await buy("waits");
    till.clock.set(till.clock.now() + DAY - 1);
    await till.settle();
    expect(await statusOf("waits")).toBe("PENDING");
    await till.advance(MINUTE);
    const { status, error } = await read("waits");
    expect([status, error.code]).toEqual(["FAILED", "RETRY_WINDOW_EXPIRED"]);
    expect((await till.v1("GET", "/balance")).body.availableBalance).toBe(100_000);
  });
});
