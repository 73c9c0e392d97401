import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import {
  type EventStream,
  followEvents,
  type StreamedEvent,
} from "../../../testing/event-stream.ts";
import { COUNTS_STATEMENTS, onlySqlite } from "../../../testing/only-sqlite.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestLine, type TestTill } from "../../../testing/test-till.ts";
import { EventFeed, type PosEvent } from "./index.ts";

let till: TestGateway;
let owner: TestTill;
const streams: EventStream[] = [];
beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
});
afterEach(async () => {
  for (const stream of streams.splice(0)) await stream.leave();
  await till.close();
});

const LINE = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
const COST = 297;
const CARD: TestLine = { productType: "VOUCHER", offerId: "AMAZON_US_GIFT_25" };

async function follow(cookie: string, headers: Record<string, string> = {}): Promise<EventStream> {
  const stream = await followEvents(till.url, cookie, headers);
  streams.push(stream);
  return stream;
}

async function figures() {
  return (await owner.pos("GET", "/wallet")).body.figures;
}

async function nextWallet(
  stream: EventStream,
  fits: (now: StreamedEvent["data"]) => boolean,
): Promise<StreamedEvent> {
  for (;;) {
    const event = await stream.next("wallet");
    if (fits(await figures())) return event;
  }
}

describe("a stream of events", () => {
  it("starts with an event for the wallet", async () => {
    const stream = await follow(owner.cookie);
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const { data, id } = await stream.next("wallet");
    // The event has no data: people who may see figures query the wallet.
    expect(data).toEqual({});
    expect(id).toMatch(/^\d+$/);
  });

  it("reports a sale from its acceptance to its delivery, and changes of the wallet", async () => {
    const stream = await follow(owner.cookie);
    await stream.next("wallet");
    const { saleId } = (await owner.sell([LINE])).body;
    const sending = await stream.next("sale");
    expect(sending.data).toEqual({ saleId });
    await till.advance(SECOND);
    let delivered = await stream.next("sale");
    const statusNow = async () =>
      (await owner.pos("GET", `/sales/${saleId}`)).body.lines[0].status as string;
    while ((await statusNow()) !== "DONE") delivered = await stream.next("sale");
    expect(delivered.data).toEqual({ saleId });
    const wallet = await nextWallet(stream, ({ held }) => held === 0);
    expect(await figures()).toMatchObject({ available: 100_000 - COST, held: 0 });
    expect(Number(wallet.id)).toBeGreaterThan(Number(sending.id));
  });

  it("reports a recharge, and reports an integrator's purchase only as a change of the wallet", async () => {
    const stream = await follow(owner.cookie);
    await stream.next("wallet");
    await till.v1("POST", "/topups/purchases", { ...LINE, transactionId: "v1" });
    await stream.next("wallet");
    expect(await figures()).toMatchObject({ available: 100_000 - COST, held: COST });
    const scope = { accountId: "default", environment: "test" } as const;
    await till.gateway.context.recharges.setTestWallet(scope, 5_000);
    await nextWallet(stream, ({ available }) => available === 5_000);
    await owner.pos("DELETE", "/session");
    expect((await stream.rest()).filter(({ event }) => event === "sale")).toEqual([]);
  });

  it("reports changes of the shop and its staff", async () => {
    const stream = await follow(owner.cookie);
    await stream.next("wallet");
    await owner.pos("POST", "/staff", { name: "Carla", role: "clerk", pin: "1739" });
    expect((await stream.next("shop")).data).toEqual({});
  });

  it("reaches all tills of the shop", async () => {
    const second = await owner.signIn(owner.staffId, OWNER_PIN);
    const both = [await follow(owner.cookie), await follow(second.cookie)];
    for (const stream of both) await stream.next("wallet");
    const { saleId } = (await owner.sell([LINE])).body;
    for (const stream of both) {
      expect((await stream.next("sale")).data.saleId).toBe(saleId);
    }
  });

  it("contains neither redeemable details nor recipients, even for an owner", async () => {
    const stream = await follow(owner.cookie);
    await owner.sell([CARD, LINE]);
    await till.advance(MINUTE);
    await owner.pos("DELETE", "/session");
    for (const { event, data } of await stream.rest()) {
      const allowed =
        event === "sale"
          ? ["saleId"]
          : ["environment", "available", "held", "currency", "currencyDivisor", "lowBelow"];
      expect(allowed).toEqual(expect.arrayContaining(Object.keys(data)));
    }
  });

  it("tells the till to reload after an old Last-Event-ID, and repeats no missed event", async () => {
    const first = await follow(owner.cookie);
    const { id } = await first.next("wallet");
    await first.leave();
    for (let n = 0; n < 3; n++) await owner.sell([LINE]);
    await till.advance(SECOND);
    for (const lastEventId of [id, "0"]) {
      const again = await follow(owner.cookie, { "last-event-id": lastEventId });
      const event = await again.next("again");
      expect(event.data).toEqual({});
      expect(Number(event.id)).toBeGreaterThan(Number(id));
      await again.next("wallet");
      const { saleId } = (await owner.sell([LINE])).body;
      expect((await again.next("sale")).data).toEqual({ saleId });
      await again.leave();
    }
  });

  it("does not tell the till to reload after the newest Last-Event-ID", async () => {
    const first = await follow(owner.cookie);
    const { id } = await first.next("wallet");
    await first.leave();
    const again = await follow(owner.cookie, { "last-event-id": id });
    await again.next("wallet");
    await owner.pos("DELETE", "/session");
    expect((await again.rest()).map(({ event }) => event)).toEqual(["signed-out"]);
  });

  it("continues after a restart of the gateway", async () => {
    const first = await follow(owner.cookie);
    const { id } = await first.next("wallet");
    await owner.sell([LINE]);
    await till.restart();
    const again = await follow(owner.cookie, { "last-event-id": id });
    await again.next("again");
    const { saleId } = (await owner.sell([LINE])).body;
    expect((await again.next("sale", (sale) => sale.saleId === saleId)).data).toEqual({ saleId });
  });

  // After a backup was restored, a till's last id may be newer than all ids of the gateway.
  it.each(["x", "-1", "1.5", "99999999999999999999", "999999"])(
    "starts even with the Last-Event-ID %s",
    async (id) => {
      const stream = await follow(owner.cookie, { "last-event-id": id });
      await stream.next("wallet");
      const { saleId } = (await owner.sell([LINE])).body;
      expect((await stream.next("sale")).data).toEqual({ saleId });
    },
  );
});

describe("the end of a stream", () => {
  it("follows the person's sign-out, which is sent as an event", async () => {
    const stream = await follow(owner.cookie);
    await stream.next("wallet");
    await owner.pos("DELETE", "/session");
    expect((await stream.rest()).map(({ event }) => event)).toEqual(["signed-out"]);
  });

  it("follows the end of the session", async () => {
    const stream = await follow(owner.cookie);
    await stream.next("wallet");
    await till.settle();
    till.clock.set(till.clock.now() + 12 * HOUR);
    expect((await stream.rest()).at(-1)?.event).toBe("signed-out");
  });

  it("follows the switch of the environment, which is sent as an event", async () => {
    const { db, tillEnvironment } = till.gateway.context;
    await writerOf(db).updateTable("shops").set({ till_environment: "live" }).execute();
    const stream = await follow(owner.cookie);
    await stream.next("wallet");
    await tillEnvironment.switch({ accountId: "default", staffId: undefined }, "test");
    expect((await stream.rest()).map(({ event }) => event)).toEqual(["shop"]);
  });

  it("follows the person's deactivation, after a sign-out event", async () => {
    const input = { name: "Carla", role: "clerk", pin: "1739" };
    const { staffId } = (await owner.pos("POST", "/staff", input)).body;
    const clerk = await owner.signIn(staffId, "1739");
    const stream = await follow(clerk.cookie);
    await stream.next("wallet");
    await owner.pos("PATCH", `/staff/${staffId}`, { active: false });
    expect((await stream.rest()).at(-1)?.event).toBe("signed-out");
  });

  it("does not affect a till that connects during the check of sessions", async () => {
    const second = await owner.signIn(owner.staffId, OWNER_PIN);
    const { sessions, ...context } = till.gateway.context;
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const where = { accountId: "default", environment: "test", training: false } as const;
    const feed = new EventFeed({
      ...context,
      async findSessions(hashes) {
        const found = await sessions.findAllByHash(hashes);
        asked.resolve();
        await answer.promise;
        return new Map([...found.keys()].map((tokenHash) => [tokenHash, { ...where, tokenHash }]));
      },
    });
    const signal = new AbortController().signal;
    const followWith = async ({ cookie }: TestTill) => {
      const session = await sessions.find(decodeURIComponent(cookie.split("=")[1] ?? ""));
      if (!session) throw new Error("they are signed in");
      const following = { ...where, tokenHash: session.tokenHash };
      return feed.follow(following, { lastEventId: undefined, signal });
    };
    const names = async (events: AsyncGenerator<PosEvent>) => {
      const all: string[] = [];
      for await (const { bytes } of events) all.push(/event: (.*)/.exec(String(bytes))?.[1] ?? "");
      return all;
    };
    const first = names(await followWith(owner));
    await asked.promise;
    const later = await followWith(second);
    const begun = await later.next();
    expect(String(begun.value?.bytes)).toContain("event: wallet");
    answer.resolve();
    await owner.pos("DELETE", "/session");
    expect(await first).toEqual(["wallet", "signed-out"]);
    feed.stop();
    expect(await names(later)).toEqual([]);
  });

  it("follows the stop of the gateway, which does not wait for the stream", async () => {
    const stream = await follow(owner.cookie);
    await stream.next("wallet");
    await till.gateway.close();
    expect(await stream.rest()).toEqual([]);
  });

  it("leaves no follower behind after a till disconnects", async () => {
    const stream = await follow(owner.cookie);
    await stream.next("wallet");
    await stream.leave();
    // A follower would check every second. Only timers of jobs and of an idle client connection
    // remain.
    const wait_ms = () => (till.clock.nextTimer() ?? 0) - till.clock.now();
    for (let turn = 0; turn < 1_000 && wait_ms() < 10 * SECOND; turn++) {
      await new Promise(setImmediate);
    }
    expect(wait_ms()).toBeGreaterThanOrEqual(10 * SECOND);
  });
});

describe("many streams", () => {
  const statements: string[] = [];
  beforeEach(async () => {
    await till.close();
    till = await startTestGateway({ onStatement: (sql) => statements.push(sql) });
    owner = await openTill(till);
  });

  async function cookiesOf(people: number, each: number): Promise<string[]> {
    const cookies: string[] = [];
    for (let person = 0; person < people; person++) {
      const input = { name: `Clerk ${person}`, role: "clerk", pin: "1739" };
      const { staffId } = (await owner.pos("POST", "/staff", input)).body;
      for (let n = 0; n < each; n++) {
        cookies.push((await owner.signIn(staffId, "1739", { shift: false })).cookie);
      }
    }
    return cookies;
  }

  async function costOf(followers: EventStream[], amount: number): Promise<number> {
    await till.settle();
    statements.length = 0;
    const scope = { accountId: "default", environment: "test" } as const;
    await till.gateway.context.recharges.setTestWallet(scope, amount);
    for (const stream of followers) await stream.next("wallet");
    await till.settle();
    return statements.length;
  }

  it(
    "cost as many statements per commit as two streams, because changes are read once for all",
    onlySqlite(COUNTS_STATEMENTS),
    async () => {
      const cookies = await cookiesOf(5, 5);
      const followers: EventStream[] = [];
      const join = async (upTo: number) => {
        while (followers.length < upTo) {
          const stream = await follow(cookies[followers.length % cookies.length] ?? "");
          await stream.next("wallet");
          followers.push(stream);
        }
      };
      await join(2);
      const two = await costOf(followers, 5_000);
      await join(200);
      expect(await costOf(followers, 6_000)).toBe(two);
    },
  );

  it("share each event, which is created once for 200 equal followers", async () => {
    const [cookie = ""] = await cookiesOf(1, 1);
    const token = decodeURIComponent(cookie.split("=")[1] ?? "");
    const { sessions, events } = till.gateway.context;
    const session = await sessions.find(token);
    if (!session) throw new Error("the clerk is signed in");
    const where = { accountId: "default", environment: "test", training: false } as const;
    const away = new AbortController();
    const following = { ...where, tokenHash: session.tokenHash };
    const followers = Array.from({ length: 200 }, () =>
      events.follow(following, { lastEventId: undefined, signal: away.signal }),
    );
    const next = () => Promise.all(followers.map((each) => each.next()));
    await next();
    await till.settle();
    const { saleId } = (await owner.sell([LINE])).body;
    const bytes = new Set((await next()).map(({ value }) => value?.bytes));
    expect(bytes.size).toBe(1);
    expect(String([...bytes][0])).toContain(saleId);
    away.abort();
    await next();
  });

  it("cause no check of 200 sessions for a purchase, which cannot end a session", async () => {
    const cookies = await cookiesOf(2, 2);
    for (const cookie of cookies) await (await follow(cookie)).next("wallet");
    const buy = (transactionId: string) =>
      till.v1("POST", "/topups/purchases", { ...LINE, transactionId });
    // The first use of a key makes the gateway read keys and sessions again.
    await buy("first");
    await till.settle();
    statements.length = 0;
    await buy("second");
    await till.settle();
    expect(statements.filter((sql) => /staff_sessions/.test(sql))).toEqual([]);
  });

  it("have a limit of eight per session and 256 in total, and free their places when they end", async () => {
    const cookies = await cookiesOf(5, 7);
    const refused = async (cookie: string) => {
      const { status, body } = await till.call("GET", "/pos/events", {
        headers: { cookie, accept: "text/event-stream" },
      });
      return [status, body.errorCode];
    };
    const [first = "", ...others] = cookies;
    for (let n = 0; n < 8; n++) await (await follow(first)).next("wallet");
    expect(await refused(first)).toEqual([429, "RATE_LIMITED"]);
    for (const cookie of others.slice(0, 31)) {
      for (let n = 0; n < 8; n++) await (await follow(cookie)).next("wallet");
    }
    const another = others[32] ?? "";
    expect(await refused(another)).toEqual([429, "RATE_LIMITED"]);
    await streams[0]?.leave();
    const admitted = async () => (await follow(another)).response.status;
    await expect.poll(admitted).toBe(200);
    await streams.at(-1)?.next("wallet");
  });
});

describe("an invalid request for a stream", () => {
  it("returns 401 if there is no session", async () => {
    const headers = { accept: "text/event-stream" };
    const answer = await till.call("GET", "/pos/events", { headers });
    expect([answer.status, answer.body.errorCode]).toEqual([401, "NOT_SIGNED_IN"]);
  });

  it("returns the gateway's own error format, not 500, to a client that accepts no event stream", async () => {
    const headers = { cookie: owner.cookie, accept: "application/json" };
    const answer = await till.call("GET", "/pos/events", { headers });
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      errorCode: "NOT_FOUND",
      message: expect.any(String),
      fields: {},
    });
  });
});
