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
import { EventFeed, type PosEvent } from "./event-feed.ts";

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

/** The event after which the wallet is so. */
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
  it("begins with the wallet, to be looked at", async () => {
    const stream = await follow(owner.cookie);
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const { data, id } = await stream.next("wallet");
    // Its figures are for people who may see figures, who ask for them.
    expect(data).toEqual({});
    expect(id).toMatch(/^\d+$/);
  });

  it("tells that a sale changed, from its acceptance to its delivery, and of the wallet with it", async () => {
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

  it("tells of a recharge, and not of an integrator's purchase but for the wallet", async () => {
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

  it("tells that the shop or its staff changed", async () => {
    const stream = await follow(owner.cookie);
    await stream.next("wallet");
    await owner.pos("POST", "/staff", { name: "Carla", role: "clerk", pin: "1739" });
    expect((await stream.next("shop")).data).toEqual({});
  });

  it("tells every till", async () => {
    const second = await owner.signIn(owner.staffId, OWNER_PIN);
    const both = [await follow(owner.cookie), await follow(second.cookie)];
    for (const stream of both) await stream.next("wallet");
    const { saleId } = (await owner.sell([LINE])).body;
    for (const stream of both) {
      expect((await stream.next("sale")).data.saleId).toBe(saleId);
    }
  });

  it("tells nothing of what a customer redeems, or whom a sale is for, whatever somebody may see", async () => {
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

  it("taken up with Last-Event-ID says to look again, and nothing of what was missed", async () => {
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

  it("taken up where it was says nothing of the kind", async () => {
    const first = await follow(owner.cookie);
    const { id } = await first.next("wallet");
    await first.leave();
    const again = await follow(owner.cookie, { "last-event-id": id });
    await again.next("wallet");
    await owner.pos("DELETE", "/session");
    expect((await again.rest()).map(({ event }) => event)).toEqual(["signed-out"]);
  });

  it("taken up after a restart of the gateway goes on", async () => {
    const first = await follow(owner.cookie);
    const { id } = await first.next("wallet");
    await owner.sell([LINE]);
    await till.restart();
    const again = await follow(owner.cookie, { "last-event-id": id });
    await again.next("again");
    const { saleId } = (await owner.sell([LINE])).body;
    expect((await again.next("sale", (sale) => sale.saleId === saleId)).data).toEqual({ saleId });
  });

  // The last of them is of before a backup was restored, and newer than all there is.
  it.each(["x", "-1", "1.5", "99999999999999999999", "999999"])(
    "with the Last-Event-ID %s is still a stream",
    async (id) => {
      const stream = await follow(owner.cookie, { "last-event-id": id });
      await stream.next("wallet");
      const { saleId } = (await owner.sell([LINE])).body;
      expect((await stream.next("sale")).data).toEqual({ saleId });
    },
  );
});

describe("the end of a stream", () => {
  it("comes with the sign-out, which is told", async () => {
    const stream = await follow(owner.cookie);
    await stream.next("wallet");
    await owner.pos("DELETE", "/session");
    expect((await stream.rest()).map(({ event }) => event)).toEqual(["signed-out"]);
  });

  it("comes with the end of the session", async () => {
    const stream = await follow(owner.cookie);
    await stream.next("wallet");
    await till.settle();
    till.clock.set(till.clock.now() + 12 * HOUR);
    expect((await stream.rest()).at(-1)?.event).toBe("signed-out");
  });

  it("comes with the shop selling elsewhere, which is told first", async () => {
    const { db, tillEnvironment } = till.gateway.context;
    await writerOf(db).updateTable("shops").set({ till_environment: "live" }).execute();
    const stream = await follow(owner.cookie);
    await stream.next("wallet");
    await tillEnvironment.switch({ accountId: "default", staffId: undefined }, "test");
    expect((await stream.rest()).map(({ event }) => event)).toEqual(["shop"]);
  });

  it("comes with a deactivation", async () => {
    const input = { name: "Carla", role: "clerk", pin: "1739" };
    const { staffId } = (await owner.pos("POST", "/staff", input)).body;
    const clerk = await owner.signIn(staffId, "1739");
    const stream = await follow(clerk.cookie);
    await stream.next("wallet");
    await owner.pos("PATCH", `/staff/${staffId}`, { active: false });
    expect((await stream.rest()).at(-1)?.event).toBe("signed-out");
  });

  it("does not come to who begins to follow while it is asked who still may", async () => {
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

  it("comes with the gateway's, which does not wait for it", async () => {
    const stream = await follow(owner.cookie);
    await stream.next("wallet");
    await till.gateway.close();
    expect(await stream.rest()).toEqual([]);
  });

  it("of a till that goes away leaves no follower behind", async () => {
    const stream = await follow(owner.cookie);
    await stream.next("wallet");
    await stream.leave();
    // A follower looks each second: no timer is left but those of jobs, and of a connection that the
    // client opens ahead of need.
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

  /** How many statements a commit costs until every follower has its event. */
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
    "cost a commit as many statements as two: what happened is read once for all",
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

  it("share each event: it is made once for 200 that get the same, as for two", async () => {
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

  it("ask nothing of 200 sign-ins for a purchase, which ends none of them", async () => {
    const cookies = await cookiesOf(2, 2);
    for (const cookie of cookies) await (await follow(cookie)).next("wallet");
    const buy = (transactionId: string) =>
      till.v1("POST", "/topups/purchases", { ...LINE, transactionId });
    // The first use of a key is noted, and a key is looked up anew as a sign-in is.
    await buy("first");
    await till.settle();
    statements.length = 0;
    await buy("second");
    await till.settle();
    expect(statements.filter((sql) => /staff_sessions/.test(sql))).toEqual([]);
  });

  it("are at most eight of a sign-in and 256 in all, and make room when they are left", async () => {
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

describe("without what it takes", () => {
  it("a session: 401", async () => {
    const headers = { accept: "text/event-stream" };
    const answer = await till.call("GET", "/pos/events", { headers });
    expect([answer.status, answer.body.errorCode]).toEqual([401, "NOT_SIGNED_IN"]);
  });

  it("a reader of event streams: an answer in our form, and no 500", async () => {
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
