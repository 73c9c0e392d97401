import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DisplayView, NumberAsk } from "../../../contract/pos/displays.ts";
import { MINUTE } from "../../../lib/clock.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

const CODE = "K7QF29XM";
const NUMBER = "+50251234567";
const VIEW: DisplayView = {
  phase: "CONFIRM",
  shopName: "Corner Shop",
  language: "en",
  training: false,
  currency: "USD",
  currencyDivisor: 100,
  lines: [],
  total: 340,
};

let gateway: TestGateway;
let till: TestTill;
beforeEach(async () => {
  gateway = await startTestGateway();
  till = await openTill(gateway);
});
afterEach(() => gateway.close());

function ask(transactionId: string, number = NUMBER): NumberAsk {
  const facts = { formatted: "+502 5123 4567", country: "GT", brandName: "Tigo", brandColor: "" };
  return { transactionId, number, ...facts };
}

async function show(asked?: NumberAsk): Promise<void> {
  const view = { ...VIEW, ...(asked && { ask: asked }) };
  expect((await till.pos("PUT", `/displays/${CODE}`, view)).status).toBe(200);
}

/** Answers as a customer, without sign-in. */
function say(said: string, transactionId: string, { number = NUMBER, code = CODE } = {}) {
  const body = { transactionId, number, said };
  return gateway.call("POST", `/pos/displays/${code}/answers`, { body });
}

async function heard(transactionId: string): Promise<unknown> {
  return (await till.pos("GET", `/displays/${CODE}/answers/${transactionId}`)).body.said;
}

describe("a customer's answer about the displayed number", () => {
  it("reaches the till, and a repeated answer changes nothing", async () => {
    await show(ask("line-1"));
    expect(await heard("line-1")).toBeUndefined();
    expect((await say("YES", "line-1")).body).toEqual({ taken: true });
    expect(await heard("line-1")).toBe("YES");
    await show();
    expect((await say("YES", "line-1")).body).toEqual({ taken: true });
    expect(await heard("line-1")).toBe("YES");
  });

  it("counts only for the displayed number and line", async () => {
    await show(ask("line-1"));
    expect((await say("YES", "line-1", { number: "+50255550000" })).body).toEqual({ taken: false });
    expect((await say("YES", "line-2")).body).toEqual({ taken: false });
    expect(await heard("line-1")).toBeUndefined();
  });

  it("can change from yes to no, and never from no to yes", async () => {
    await show(ask("line-1"));
    await say("YES", "line-1");
    expect((await say("NO", "line-1")).body).toEqual({ taken: true });
    expect((await say("YES", "line-1")).body).toEqual({ taken: false });
    expect(await heard("line-1")).toBe("NO");
  });

  it("counts for ten minutes", async () => {
    await show(ask("line-1"));
    await say("YES", "line-1");
    await gateway.advance(10 * MINUTE - 1);
    await show(ask("line-1"));
    expect(await heard("line-1")).toBeUndefined();
  });

  it("needs the display's code, and wrong codes count as guesses", async () => {
    await show(ask("line-1"));
    for (let guess = 0; guess < 30; guess++) {
      expect((await say("YES", "line-1", { code: "22222222" })).status).toBe(404);
    }
    expect((await say("YES", "line-1")).status).toBe(429);
    expect(await heard("line-1")).toBeUndefined();
  });

  it("causes an error that names the invalid field", async () => {
    await show(ask("line-1"));
    const { status, body } = await say("MAYBE", "line-1");
    expect(status).toBe(400);
    expect(Object.keys(body.fields)).toContain("said");
  });
});
