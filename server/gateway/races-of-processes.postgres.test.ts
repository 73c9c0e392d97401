import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RATE_LIMIT } from "../http/rate-limit.ts";
import { MINUTE, SECOND } from "../lib/clock.ts";
import { expectCleanAudit, listPurchases, WITHIN } from "../testing/expect-all-there.ts";
import { prepareSale } from "../testing/load-of-clients.ts";
import { ManyProcesses } from "../testing/many-processes.ts";
import { createTestDatabase, dropTestDatabase } from "../testing/postgres-database.ts";
import { isDone, type Session } from "../testing/sales-follower.ts";
import { COST, SOLD } from "../testing/shop-of-processes.ts";
import type { Answer } from "../testing/test-gateway.ts";
import { approveRefused, OWNER_PIN } from "../testing/test-till.ts";

const BUYERS = 64;
const CLERK_PIN = "173904";

let database: string;
let shop: ManyProcesses;
beforeAll(async () => {
  database = await createTestDatabase();
  // One minor unit less than all buyers need.
  shop = await ManyProcesses.open(database, { funds: BUYERS * COST - 1 });
});
afterAll(async () => {
  await shop.close();
  await dropTestDatabase(database);
});

function buy(n: number, transactionId: string): Promise<Answer> {
  return shop.askOne(n, "POST", "/v1/topups/purchases", { body: { ...SOLD, transactionId } });
}

async function addClerk(name: string, ownRights: object = {}): Promise<Session> {
  const staffId = await shop.hire({ name, role: "clerk", pin: CLERK_PIN });
  await change(staffId, { ownRights });
  return shop.signIn(staffId, CLERK_PIN);
}

async function change(staffId: string, body: object): Promise<void> {
  expect((await shop.call("PATCH", `/pos/staff/${staffId}`, { body })).status).toBe(200);
}

function as({ cookie }: Session, body?: unknown) {
  return { headers: { cookie }, body };
}

async function expectAllDelivered(): Promise<void> {
  const open = async () => (await shop.listSales()).filter((sale) => !isDone(sale));
  await expect.poll(open, WITHIN).toEqual([]);
}

function expectNoGap(numbers: readonly number[]): void {
  const sorted = numbers.toSorted((a, b) => a - b);
  expect(sorted).toEqual(sorted.map((_, n) => n + 1));
}

describe("three processes on one PostgreSQL", () => {
  it("refuse exactly one of 64 buyers if the wallet lacks one minor unit for all 64", async () => {
    const ids = Array.from({ length: BUYERS }, (_, n) => `short-${n}`);
    const answers = await Promise.all(ids.map((id, n) => buy(n, id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const outcomes = async () =>
      (await listPurchases(shop)).map(({ status, error }) => error?.code ?? status).toSorted();
    const expected = [...Array.from({ length: BUYERS - 1 }, () => "DONE"), "INSUFFICIENT_FUNDS"];
    await expect.poll(outcomes, WITHIN).toEqual(expected);
    for (const { body } of await shop.askEach("GET", "/v1/balance")) {
      expect(body.availableBalance).toBe(COST - 1);
    }
    expect([...shop.provider.submissions.values()]).toEqual(
      Array.from({ length: BUYERS - 1 }, () => 1),
    );
    await expectCleanAudit(shop);
  });

  it("accept a transaction id once, respond equally to each repeat, and send the purchase once", async () => {
    await shop.command("wallet", "recharge", "--env", "live", "--amount", "1000000");
    const ids = Array.from({ length: 20 }, (_, n) => `same-${n}`);
    for (const id of ids) {
      const answers = await Promise.all([0, 1, 2, 0, 1, 2].map((n) => buy(n, id)));
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused).toHaveLength(answers.length - 1);
      const said = refused.map(({ body }) => `${body.errorCode} ${JSON.stringify(body.fields)}`);
      expect(new Set(said).size).toBe(1);
      expect(said[0]).toContain("DUPLICATE_TRANSACTION_ID");
    }
    for (const id of ids) {
      const path = `/v1/topups/purchases/${id}`;
      await expect
        .poll(async () => (await shop.get<{ status: string }>(path)).status, WITHIN)
        .toBe("DONE");
      const [first, ...others] = await shop.askEach("GET", path);
      for (const { body } of others) expect(body).toEqual(first?.body);
      expect([id, shop.provider.submissions.get(id)]).toEqual([id, 1]);
    }
    await expectCleanAudit(shop);
  });

  it("make one sale if the till sends the sale to all of them", async () => {
    for (let round = 0; round < 10; round++) {
      const answers = await shop.askEach("POST", "/pos/sales", { body: await prepareSale(shop) });
      const said = answers.map(({ status, body }) => `${status} ${body.saleNumber}`);
      expect(new Set(said)).toEqual(new Set([`200 ${answers[0]?.body.saleNumber}`]));
    }
  });

  it("number sales and Z reports without gaps while all sell and close shifts", async () => {
    const names = ["Ana", "Ben", "Carla", "Dora", "Emil", "Fina"];
    const clerks: Session[] = [];
    for (const name of names) clerks.push(await addClerk(name, { carryOver: true }));
    const zNumbers = (
      await Promise.all(clerks.map((clerk, n) => sellAndClose(clerk, { from: n, rounds: 4 })))
    ).flat();
    expect(zNumbers).toHaveLength(24);
    expectNoGap(zNumbers);
    const sales = await shop.listSales();
    expect(sales.length).toBeGreaterThanOrEqual(72);
    expectNoGap(sales.map(({ saleNumber }) => saleNumber));
    await expectAllDelivered();
    await expectCleanAudit(shop);
  });

  async function sellAndClose(clerk: Session, { from, rounds }: { from: number; rounds: number }) {
    const zNumbers: number[] = [];
    let n = from;
    let { shiftId } = clerk;
    for (let round = 0; round < rounds; round++) {
      const sold = await Promise.all(
        [1, 2, 3].map(async (step) =>
          shop.askOne(n + step, "POST", "/pos/sales", as(clerk, await prepareSale(shop))),
        ),
      );
      expect(sold.map(({ status }) => status)).toEqual([200, 200, 200]);
      n += 1;
      const path = `/pos/shifts/${shiftId}/close`;
      const close = as(clerk, { counted: 0, leaveUnfinished: true });
      const closed = await shop.askOne(n, "POST", path, close);
      expect(closed.status, JSON.stringify(closed.body)).toBe(200);
      zNumbers.push(closed.body.zNumber);
      shiftId = crypto.randomUUID();
      const next = await shop.askOne(
        n + 1,
        "POST",
        "/pos/shifts",
        as(clerk, { shiftId, float: 0 }),
      );
      expect(next.status).toBe(200);
    }
    return zNumbers;
  }

  it("apply a clerk's daily limit to the sales of all processes together", async () => {
    const clerk = await addClerk("Gema");
    const sales = await Promise.all(Array.from({ length: 24 }, () => prepareSale(shop)));
    const price = sales[0]?.lines[0]?.price ?? 0;
    await change(clerk.staffId, { limits: { perDay: 3 * price } });
    const answers = await Promise.all(
      sales.map((sale, n) => shop.askOne(n, "POST", "/pos/sales", as(clerk, sale))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ body }) => body.fields.right))).toEqual(new Set(["perDay"]));
    await expectAllDelivered();
  });

  it("accept an approval only once", async () => {
    const clerk = await addClerk("Hugo", { reprint: false });
    const sold = await shop.call("POST", "/pos/sales", as(clerk, await prepareSale(shop)));
    const { saleId } = sold.body;
    await expectAllDelivered();
    const path = `/pos/sales/${saleId}/prints`;
    expect((await shop.call("POST", path, as(clerk))).status).toBe(200);
    const till = {
      pos: (method: string, of: string, body?: unknown) =>
        shop.call(method, `/pos${of}`, as(clerk, body)),
    };
    for (let round = 0; round < 5; round++) {
      const refused = await shop.call("POST", path, as(clerk));
      const by = { staffId: shop.owner.staffId, pin: OWNER_PIN, subject: saleId };
      const approvalId = await approveRefused(till, refused, by);
      const approved = `${path}?approvalId=${approvalId}`;
      const answers = await shop.askEach("POST", approved, as(clerk));
      const [used, ...refusedOnes] = answers.toSorted((a, b) => a.status - b.status);
      expect(used?.status).toBe(200);
      expect(refusedOnes.map(({ status }) => status)).toEqual([403, 403]);
    }
  });

  it("open only one shift for a person", async () => {
    const clerk = await addClerk("Ines");
    await shop.call("POST", `/pos/shifts/${clerk.shiftId}/close`, as(clerk, { counted: 0 }));
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, n) => {
        const shift = { shiftId: crypto.randomUUID(), float: 0 };
        return shop.askOne(n, "POST", "/pos/shifts", as(clerk, shift));
      }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ body }) => body.errorCode))).toEqual(new Set(["SHIFT_OPEN"]));
    await expectCleanAudit(shop);
  });

  it("together allow an unknown device only as many PIN guesses as one process would", async () => {
    const { staffId } = await addClerk("Jana");
    const guess = (n: number, pin: string) => {
      const init = { headers: { cookie: "" }, body: { staffId, pin } };
      return shop.askOne(n, "POST", "/pos/session", init);
    };
    const answers = await Promise.all(Array.from({ length: 45 }, (_, n) => guess(n, "582047")));
    const codes = answers.map(({ body }) => body.errorCode);
    expect(codes.filter((code) => code === "PIN_WRONG")).toHaveLength(4);
    expect(codes.filter((code) => code === "PIN_LOCKED")).toHaveLength(41);
    for (const n of shop.processes.keys()) {
      expect((await guess(n, CLERK_PIN)).body.errorCode).toBe("PIN_LOCKED");
    }
  });

  it("together allow a key only its rate of requests", async () => {
    const made = await shop.command("keys", "create", "--env", "live", "--name", "fast");
    const headers = { authorization: `Bearer ${made.stdout.trim()}` };
    const ask = (n: number) => shop.askOne(n, "GET", "/v1/balance", { headers });
    const began = Date.now();
    const answers = [];
    // 300 is the maximum number of connections of one address.
    for (let round = 0; round < 5; round++) {
      answers.push(...(await Promise.all(Array.from({ length: 300 }, (_, n) => ask(n)))));
    }
    const filled = Math.ceil(((Date.now() - began) / SECOND) * RATE_LIMIT.perSecond);
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const through = statuses.filter((status) => status === 200);
    expect(through.length).toBeLessThanOrEqual(RATE_LIMIT.burst + filled);
  });

  // Takes a minute of real time. Must be the last test, because purchases are impossible
  // afterwards.
  it.skipIf(!process.env.POSTGRES_ALL)(
    "send only one purchase per minute to a paused brand",
    {
      timeout: 6 * MINUTE,
    },
    async () => {
      const came: number[] = [];
      shop.provider.submit = ({ reply }) => {
        came.push(Date.now());
        reply(429, { errorCode: "RATE_LIMITED", message: "It has too much to do.", fields: {} });
      };
      for (let n = 0; n < 5; n++) {
        await buy(n, `bad-${n}`);
        await expect.poll(() => came.length, WITHIN).toBe(n + 1);
      }
      const paused = async () =>
        (await shop.get<{ list: unknown[] }>("/pos/brands/pauses?environment=live")).list;
      await expect.poll(paused, WITHIN).toHaveLength(1);
      await Promise.all(Array.from({ length: 12 }, (_, n) => buy(n, `waits-${n}`)));
      await expect.poll(() => came.length, { timeout: 3 * MINUTE }).toBe(6);
      expect(came[5]! - came[4]!).toBeGreaterThanOrEqual(MINUTE);
      await expect.poll(() => came.length, { timeout: 3 * MINUTE }).toBe(7);
      expect(came[6]! - came[5]!).toBeGreaterThanOrEqual(MINUTE);
    },
  );
});
