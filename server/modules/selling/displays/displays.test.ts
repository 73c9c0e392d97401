import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DISPLAY_CODE_LETTERS, type DisplayView } from "../../../contract/pos/displays.ts";
import { buildApp } from "../../../gateway/app.ts";
import { MINUTE, SECOND } from "../../../lib/clock.ts";
import { onlySqlite } from "../../../testing/only-sqlite.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill, type TestTill } from "../../../testing/test-till.ts";

const CODE = "K7QF29XM";
const IDLE: DisplayView = {
  phase: "IDLE",
  shopName: "Corner Shop",
  language: "en",
  training: false,
  test: true,
  currency: "USD",
  currencyDivisor: 100,
  lines: [],
  total: 0,
};
const CONFIRM: DisplayView = {
  ...IDLE,
  phase: "CONFIRM",
  lines: [
    {
      brandName: "Tigo",
      brandColor: "#00377b",
      title: "Q25",
      recipient: "+502 5123 4567",
      country: "GT",
      price: 340,
    },
  ],
  total: 340,
};

let till: TestGateway;
let owner: TestTill;
const leaving: AbortController[] = [];
beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
});
afterEach(async () => {
  for (const away of leaving.splice(0)) away.abort();
  await till.close();
});

async function watch(code = CODE) {
  const away = new AbortController();
  leaving.push(away);
  const response = await fetch(`${till.url}/pos/displays/${code}/events`, {
    headers: { accept: "text/event-stream" },
    signal: away.signal,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    status: response.status,
    leave: () => away.abort(),
    async next(): Promise<DisplayView | undefined> {
      for (;;) {
        const event = /^.*?\n\n/s.exec(text)?.[0];
        if (event === undefined) {
          const { value, done } = await reader.read();
          if (done) return undefined;
          text += value;
          continue;
        }
        text = text.slice(event.length);
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data) return JSON.parse(data) as DisplayView;
      }
    },
  };
}

async function show(view: DisplayView) {
  const answer = await owner.pos("PUT", `/displays/${CODE}`, view);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.watching as number;
}

describe("the customer display", () => {
  it("shows the present view of its till, then each change", async () => {
    expect(await show(IDLE)).toBe(0);
    const [one, two] = [await watch(), await watch()];
    expect([await one.next(), await two.next()]).toEqual([IDLE, IDLE]);
    expect(await show(CONFIRM)).toBe(2);
    expect([await one.next(), await two.next()]).toEqual([CONFIRM, CONFIRM]);
  });

  it("shows only the newest view to a slow screen", async () => {
    await show(IDLE);
    const screen = await watch();
    await screen.next();
    for (let total = 1; total <= 50; total++) await show({ ...IDLE, total });
    let seen: DisplayView | undefined;
    do seen = await screen.next();
    while (seen && seen.total < 50);
    expect(seen?.total).toBe(50);
  });

  it("hides the previous customer's sale after its till is locked or signed out", async () => {
    const idle = { ...IDLE, lines: [], total: 0 };
    for (const [code, query] of [
      ["K7QF29XM", ""],
      ["K7QF29XN", "?reason=idle"],
    ] as const) {
      await owner.pos("PUT", `/displays/${code}`, { ...CONFIRM, phase: "PAID" });
      const screen = await watch(code);
      await screen.next();
      expect((await owner.pos("DELETE", `/session${query}`)).status).toBeLessThan(300);
      expect(await screen.next()).toEqual(idle);
      expect(await (await watch(code)).next()).toEqual(idle);
      owner = await owner.signIn(owner.staffId, OWNER_PIN);
    }
  });

  it("stays visible at the person's second till after a sign-out at the first till", async () => {
    await show(CONFIRM);
    const other = await owner.signIn(owner.staffId, OWNER_PIN);
    await other.pos("PUT", "/displays/K7QF29XN", CONFIRM);
    await owner.pos("DELETE", "/session");
    expect((await (await watch()).next())?.phase).toBe("IDLE");
    expect((await (await watch("K7QF29XN")).next())?.phase).toBe("CONFIRM");
  });

  it("goes blank if its till sends no more views", async () => {
    await show(CONFIRM);
    await till.advance(20 * SECOND);
    await show(CONFIRM);
    const screen = await watch();
    await screen.next();
    await till.advance(89 * SECOND);
    expect((await (await watch()).next())?.phase).toBe("CONFIRM");
    await till.advance(SECOND);
    expect((await screen.next())?.phase).toBe("IDLE");
  });

  it("cannot be opened with another code", async () => {
    await show(CONFIRM);
    expect((await watch("K7QF29XN")).status).toBe(404);
    expect((await watch("K7QF29X0")).status).toBe(400);
  });

  it("accepts views only from signed-in people", async () => {
    const answer = await till.call("PUT", `/pos/displays/${CODE}`, { body: IDLE });
    expect(answer.status).toBe(401);
    expect((await watch()).status).toBe(404);
  });

  it("names the invalid field of a view", async () => {
    const body = { ...IDLE, phase: "SECRET", lines: [{ brandName: "x" }] };
    const answer = await owner.pos("PUT", `/displays/${CODE}`, body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.fields)).toContain("phase");
  });

  it("limits guesses of codes, and does not reveal whether the next guess would be right", async () => {
    await show(IDLE);
    // A correct code does not count as a guess.
    for (let screen = 0; screen < 40; screen++) (await watch()).leave();
    for (let guess = 0; guess < 30; guess++) expect((await watch("22222222")).status).toBe(404);
    expect((await watch("22222222")).status).toBe(429);
    expect((await watch()).status).toBe(429);
    await till.advance(MINUTE);
    expect((await watch()).status).toBe(200);
    expect((await watch("22222222")).status).toBe(404);
  });

  it("limits guesses per source and in total", async () => {
    const app = await buildApp(till.gateway.context);
    const guess = async (remoteAddress: string) => {
      const url = "/pos/displays/22222222/events";
      const headers = { accept: "text/event-stream" };
      return (await app.inject({ url, headers, remoteAddress })).statusCode;
    };
    try {
      for (let n = 0; n < 31; n++) await guess("192.168.1.66");
      expect(await guess("192.168.1.66")).toBe(429);
      expect(await guess("192.168.1.67")).toBe(404);
      // A subscriber's IPv6 addresses count as one source.
      for (let n = 0; n < 31; n++) await guess(`2001:db8:1:1::${n.toString(16)}`);
      expect(await guess("2001:db8:1:1:ffff::1")).toBe(429);
      for (let n = 0; n < 600; n++) await guess(`10.0.${n >> 8}.${n & 255}`);
      expect(await guess("10.9.9.9")).toBe(429);
    } finally {
      await app.close();
    }
  });

  it("belongs to the till that created it, and no other till can overwrite it", async () => {
    await show(CONFIRM);
    const screen = await watch();
    await screen.next();
    const { staffId } = (
      await owner.pos("POST", "/staff", { name: "A", role: "clerk", pin: "1739" })
    ).body;
    const clerk = await owner.signIn(staffId, "1739");
    const put = (cookie: string, view: DisplayView) =>
      till.call("PUT", `/pos/displays/${CODE}`, { headers: { cookie }, body: view });
    const refused = await put(clerk.cookie, { ...IDLE, shopName: "Pay here" });
    expect([refused.status, refused.body.errorCode]).toEqual([403, "FORBIDDEN"]);
    expect(await show({ ...CONFIRM, total: 1 })).toBe(1);
    expect(await screen.next()).toMatchObject({ total: 1, shopName: IDLE.shopName });
  });

  it("still belongs to its till after the next person signs in at that till", async () => {
    const { staffId } = (
      await owner.pos("POST", "/staff", { name: "A", role: "clerk", pin: "1739" })
    ).body;
    let jar = "";
    const signIn = async (who: string, pin: string) => {
      const body = { staffId: who, pin };
      const answer = await till.call("POST", "/pos/session", { headers: { cookie: jar }, body });
      const set = answer.headers.getSetCookie().map((one) => one.split(";", 1)[0] ?? "");
      const kept = jar.split("; ").filter((one) => one !== "" && !/session=/.test(one));
      jar = [...kept, ...set].join("; ");
    };
    const put = () =>
      till.call("PUT", `/pos/displays/${CODE}`, { headers: { cookie: jar }, body: IDLE });
    await signIn(owner.staffId, OWNER_PIN);
    expect((await put()).status).toBe(200);
    await signIn(staffId, "1739");
    expect((await put()).status).toBe(200);
  });

  it("never disappears because of another person's displays, even if there are many", async () => {
    await show(IDLE);
    const { staffId } = (
      await owner.pos("POST", "/staff", { name: "A", role: "clerk", pin: "1739" })
    ).body;
    const clerk = await owner.signIn(staffId, "1739");
    const codes = Array.from({ length: 120 }, (_, n) => {
      const letters = DISPLAY_CODE_LETTERS;
      return `AAAAAA${letters[Math.floor(n / 30)]}${letters[n % 30]}`;
    });
    for (const code of codes) {
      expect((await clerk.pos("PUT", `/displays/${code}`, IDLE)).status).toBe(200);
    }
    expect(await (await watch()).next()).toEqual(IDLE);
    // Only the other person's oldest displays have ended.
    expect((await watch(codes[0])).status).toBe(404);
    expect((await watch(codes.at(-1))).status).toBe(200);
  });

  it(
    "ends when the gateway stops, and returns with the till's next view",
    onlySqlite("what a display shows outlasts the process on a server"),
    async () => {
      await show(IDLE);
      const screen = await watch();
      await screen.next();
      await till.restart();
      expect(await screen.next().catch(() => undefined)).toBeUndefined();
      expect((await watch()).status).toBe(404);
      await show(CONFIRM);
      expect(await (await watch()).next()).toEqual(CONFIRM);
    },
  );
});
