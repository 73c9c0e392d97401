import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CHECKED_TABLES, UNCHECKED } from "../../../db/checksums.ts";
import { HOUR, MINUTE, SECOND } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { openTill, type TestTill } from "../../../testing/test-till.ts";

let till: TestGateway;
let owner: TestTill;
let clerk: TestTill;
const LINE = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };

beforeEach(async () => {
  till = await startTestGateway();
  owner = await openTill(till);
  const input = { name: "Ana", role: "clerk", pin: "1739" };
  clerk = await owner.signIn((await owner.pos("POST", "/staff", input)).body.staffId, "1739");
});
afterEach(() => till.close());

async function actions(staffId: string): Promise<string[]> {
  const { body } = await owner.pos("GET", `/audit-trail?limit=50&staffId=${staffId}`);
  const done = (body.list as { action: string }[]).map(({ action }) => action).reverse();
  return done.filter((action) => !action.startsWith("shift."));
}

async function liveRows(): Promise<Record<string, string>> {
  const { db } = till.gateway.context;
  const found: Record<string, string> = {};
  for (const name of [...CHECKED_TABLES, ...Object.keys(UNCHECKED)]) {
    const { rows } = await sql<{ environment?: string }>`
      select * from ${sql.table(name)} order by 1, 2`.execute(db);
    found[name] = JSON.stringify(rows.filter(({ environment }) => environment === "live"));
  }
  const { rows } = await sql`select * from jobs where subject like '%live%'`.execute(db);
  return { ...found, jobs: JSON.stringify(rows) };
}

async function goLive(): Promise<void> {
  const { db } = till.gateway.context;
  await writerOf(db).updateTable("shops").set({ till_environment: "live" }).execute();
}

describe("a person signed in on many tills", () => {
  it("has at most eight sessions, and a ninth ends the least recently active one", async () => {
    const tills = [clerk];
    while (tills.length < 8) {
      till.clock.set(till.clock.now() + SECOND);
      tills.push(await owner.signIn(clerk.staffId, "1739", { shift: false }));
    }
    await clerk.pos("POST", "/session/activity");
    till.clock.set(till.clock.now() + SECOND);
    tills.push(await owner.signIn(clerk.staffId, "1739", { shift: false }));
    const statuses = [];
    for (const one of tills) statuses.push((await one.pos("GET", "/session")).status);
    expect(statuses).toEqual([200, 401, ...Array.from({ length: 7 }, () => 200)]);
    expect((await owner.pos("GET", "/session")).status).toBe(200);
  });
});

describe("a training session", () => {
  beforeEach(goLive);

  it("sells in the test environment, affects only this session, and ends with it", async () => {
    expect((await clerk.pos("GET", "/status")).body.environment).toBe("live");
    const begun = await clerk.pos("POST", "/session/training", { on: true });
    expect(begun.body).toMatchObject({ training: true, environment: "test" });
    expect((await clerk.pos("GET", "/session")).body).toEqual(begun.body);
    expect((await clerk.pos("GET", "/status")).body.environment).toBe("test");
    expect((await clerk.pos("GET", "/wallet")).body.environment).toBe("test");
    const sold = await clerk.sell([LINE]);
    expect([sold.status, sold.body.environment]).toEqual([200, "test"]);
    const receipt = await clerk.pos("POST", `/sales/${sold.body.saleId}/prints`);
    expect(receipt.body).toMatchObject({ training: true, sale: { environment: "test" } });

    expect((await owner.pos("GET", "/status")).body.environment).toBe("live");
    expect((await owner.pos("GET", "/sales?limit=10&offset=0")).body.total).toBe(0);
    expect((await owner.pos("GET", `/sales/${sold.body.saleId}`)).status).toBe(404);

    await clerk.pos("DELETE", "/session");
    const again = await owner.signIn(clerk.staffId, "1739");
    expect((await again.pos("GET", "/session")).body).toMatchObject({
      training: false,
      environment: "live",
    });
  });

  it("can be ended, and a repeated start or end is recorded only once", async () => {
    for (const on of [true, true, false, false]) {
      const answer = await clerk.pos("POST", "/session/training", { on });
      expect(answer.body.training).toBe(on);
    }
    expect((await clerk.pos("GET", "/status")).body.environment).toBe("live");
    expect(await actions(clerk.staffId)).toEqual(["staff.sign-in", "training.on", "training.off"]);
  });

  it("does not change live rows, in any order of actions", {
    tags: ["thorough"],
  }, async () => {
    const before = await liveRows();
    let saleId = "";
    const actions: Record<string, () => Promise<unknown>> = {
      sell: async () => {
        saleId = (await clerk.sell([LINE])).body.saleId;
      },
      sellToNobody: () => clerk.sell([{ ...LINE, recipientPhoneNumber: "+50251239001" }]),
      sellLater: () => clerk.sell([{ ...LINE, recipientPhoneNumber: "+50251239004" }]),
      print: () => clerk.pos("POST", `/sales/${saleId}/prints`),
      wait: () => till.advance(HOUR),
      restart: () => till.restart(),
      beginAgain: () => clerk.pos("POST", "/session/training", { on: true }),
      beThere: () => clerk.pos("POST", "/session/activity"),
      look: () => clerk.pos("GET", "/phone?number=%2B50251234567"),
      approve: () =>
        clerk.pos("POST", "/approvals", {
          approvalId: randomUUID(),
          staffId: owner.staffId,
          pin: "471183",
          rights: [{ right: "discountPct", asked: 50 }],
          subject: saleId,
          requestDigest: "0".repeat(64),
          facts: "{}",
        }),
    };
    const orders = fc.shuffledSubarray(Object.keys(actions), { minLength: 4 });
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        // Signs in again, because the earlier orders may have taken longer than a session lasts.
        clerk = await owner.signIn(clerk.staffId, "1739", { shift: false });
        await clerk.pos("POST", "/session/training", { on: true });
        const sold = await clerk.sell([LINE]);
        expect([sold.status, sold.body.environment]).toEqual([200, "test"]);
        saleId = sold.body.saleId;
        for (const name of order) await actions[name]?.();
        expect(await liveRows()).toEqual(before);
      }),
      { numRuns: 5 },
    );
    await till.expectCleanBooks();
  });

  it("requires a signed-in person and a boolean", async () => {
    expect((await till.call("POST", "/pos/session/training", { body: { on: true } })).status).toBe(
      401,
    );
    for (const body of [{}, { on: "yes" }, { on: null }]) {
      const answer = await clerk.pos("POST", "/session/training", body);
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, ["on"]]);
    }
  });
});

describe("an idle till", () => {
  beforeEach(async () => {
    const { settings } = till.gateway.context;
    await settings.change({ accountId: "default" }, { idleLockMinutes: 3 });
  });

  it("locks after the shop's idle time and the reporting interval of activity", async () => {
    await till.advance(3 * MINUTE + 30 * SECOND);
    expect((await clerk.pos("GET", "/session")).status).toBe(200);
    await till.advance(1);
    expect((await clerk.pos("GET", "/session")).status).toBe(401);
    // Loading a screen is not activity, so the owner is also locked out.
    expect((await owner.pos("GET", "/session")).status).toBe(401);
  });

  it("stays open while it is used, even across a restart, for at most twelve hours", async () => {
    for (let minute = 0; minute < 12 * 60; minute += 3) {
      expect((await clerk.pos("POST", "/session/activity")).status).toBe(200);
      if (minute === 60) await till.restart();
      till.clock.set(till.clock.now() + 3 * MINUTE);
    }
    expect((await clerk.pos("POST", "/session/activity")).status).toBe(401);
  });

  it("stays open if the owner has switched off the lock", async () => {
    const { settings } = till.gateway.context;
    await settings.change({ accountId: "default" }, { idleLockMinutes: 0 });
    await till.advance(11 * HOUR);
    expect((await clerk.pos("GET", "/session")).status).toBe(200);
  });

  it("records in the audit trail that the idle lock ended the session", async () => {
    await clerk.pos("DELETE", "/session?reason=idle");
    expect((await clerk.pos("GET", "/session")).status).toBe(401);
    expect(await actions(clerk.staffId)).toEqual(["staff.sign-in", "staff.idle-lock"]);
  });
});
