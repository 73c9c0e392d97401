import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DisplayView, NumberAsk } from "../../../contract/pos/displays.ts";
import { SECOND } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
} from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

/** A load balancer sends the till to `here`, and its display to `there`. */
let here: TestGateway;
let there: TestGateway;
let till: TestTill;
const leaving: AbortController[] = [];
beforeEach(async () => {
  here = await startTestGateway();
  there = await startGatewayBeside(here);
  till = await openTill(here);
});
afterEach(async () => {
  for (const away of leaving.splice(0)) away.abort();
  await here.expectCleanBooks();
  await there.close();
  await here.close();
});

const CODE = "K7QF29XM";
const NUMBER = "+50251234567";
const OFFER = "TIGO_GT_TOPUP_25";
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
const IDLE: DisplayView = { ...VIEW, phase: "IDLE", total: 0 };

function makeAsk(transactionId: string): NumberAsk {
  const facts = { formatted: "+502 5123 4567", country: "GT", brandName: "Tigo", brandColor: "" };
  return { transactionId, number: NUMBER, ...facts };
}

async function show(view: DisplayView, gateway = here): Promise<number> {
  const init = { headers: { cookie: till.cookie }, body: view };
  const answer = await gateway.call("PUT", `/pos/displays/${CODE}`, init);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.watching;
}

function say(said: string, transactionId: string, gateway = there) {
  const body = { transactionId, number: NUMBER, said };
  return gateway.call("POST", `/pos/displays/${CODE}/answers`, { body });
}

async function watch(gateway = there) {
  const away = new AbortController();
  leaving.push(away);
  const response = await fetch(`${gateway.url}/pos/displays/${CODE}/events`, {
    headers: { accept: "text/event-stream" },
    signal: away.signal,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    status: response.status,
    leave: () => away.abort(),
    async until(fits: (view: DisplayView) => boolean): Promise<DisplayView> {
      for (;;) {
        const event = /^.*?\n\n/s.exec(text)?.[0];
        if (event === undefined) {
          const { value, done } = await reader.read();
          if (done) throw new Error("the display's stream ended");
          text += value;
          continue;
        }
        text = text.slice(event.length);
        const data = /^data: (.*)$/m.exec(event)?.[1];
        const view = data && (JSON.parse(data) as DisplayView);
        if (view && fits(view)) return view;
      }
    },
  };
}

describe("a display that is connected to another gateway than its till", () => {
  it("shows each change, counts as a screen, and hides the previous customer's sale", async () => {
    expect(await show(IDLE)).toBe(0);
    const screen = await watch();
    await screen.until(({ phase }) => phase === "IDLE");
    expect(await show(VIEW)).toBe(1);
    expect(await screen.until(({ phase }) => phase === "CONFIRM")).toEqual(VIEW);
    await till.pos("DELETE", "/session");
    const empty = await screen.until(({ phase }) => phase === "IDLE");
    expect(empty).toMatchObject({ lines: [], total: 0 });
  });

  it("shows a change even if the notification was lost", async () => {
    await show(IDLE);
    const screen = await watch();
    await screen.until(({ phase }) => phase === "IDLE");
    // Changes the view as if the notification was lost.
    const { memory } = there.gateway.context;
    const board = await memory.read<{ view: DisplayView }>("displays", CODE);
    await here.gateway.context.memory.change(
      "quiet",
      "copy",
      () => ({ ...board, view: VIEW }),
      SECOND * 60,
    );
    const { db } = here.gateway.context;
    const copy = db.selectFrom("shared_memory").select("content").where("topic", "=", "quiet");
    await writerOf(db)
      .updateTable("shared_memory")
      .set({ content: copy })
      .where("topic", "=", "displays")
      .execute();
    await here.advance(2 * SECOND);
    expect(await screen.until(({ phase }) => phase === "CONFIRM")).toEqual(VIEW);
  });

  it("sends the customer's answer about the number, which the sale reads at either gateway", async () => {
    const { body } = await till.pos("GET", "/settings");
    await till.pos("PUT", "/settings", { ...body, confirmNumber: "ALWAYS" });
    const line = { offerId: OFFER, recipientPhoneNumber: NUMBER, numberCheck: "CUSTOMER" as const };
    const sales = [];
    for (const gateway of [here, there, here]) {
      const sale = await till.prepareSale([line]);
      const { transactionId } = sale.lines[0]!;
      await show({ ...VIEW, ask: makeAsk(transactionId) }, gateway);
      const isAnswered = sales.length < 2;
      if (isAnswered) expect((await say("YES", transactionId)).body).toEqual({ taken: true });
      const heard = await till.pos("GET", `/displays/${CODE}/answers/${transactionId}`);
      expect(heard.body.said).toBe(isAnswered ? "YES" : undefined);
      const init = { headers: { cookie: till.cookie }, body: sale };
      expect((await gateway.call("POST", "/pos/sales", init)).status).toBe(200);
      sales.push(sale);
    }
    await there.settle();
    await here.settle();
    const checks = await here.gateway.context.db
      .selectFrom("sale_lines")
      .select(["sale_id", "checked_by"])
      .execute();
    const byOf = new Map(checks.map((row) => [row.sale_id, row.checked_by]));
    expect(sales.map(({ saleId }) => byOf.get(saleId))).toEqual(["CUSTOMER", "CUSTOMER", "CLERK"]);
  });

  it("cannot be changed by another till at either gateway", async () => {
    await show(VIEW);
    const { staffId } = (
      await till.pos("POST", "/staff", { name: "Ana", role: "clerk", pin: "1739" })
    ).body;
    const other = await till.signIn(staffId, "1739");
    const init = { headers: { cookie: other.cookie }, body: VIEW };
    expect((await there.call("PUT", `/pos/displays/${CODE}`, init)).status).toBe(403);
  });

  it("counts no screens of a gateway that has stopped", async () => {
    await show(IDLE);
    const screen = await watch();
    await screen.until(({ phase }) => phase === "IDLE");
    expect(await show(VIEW)).toBe(1);
    screen.leave();
    await expect.poll(() => show(VIEW)).toBe(0);
  });

  it("limits the total number of guesses at both gateways", async () => {
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, n) => say("YES", randomUUID(), n % 2 ? here : there)),
    );
    const codes = answers.map(({ body }) => body.errorCode);
    expect(codes.filter((code) => code === "NOT_FOUND")).toHaveLength(30);
    expect(codes.filter((code) => code === "RATE_LIMITED")).toHaveLength(50);
  });
});
