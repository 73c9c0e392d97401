import { afterAll, beforeAll, expect, it } from "vitest";
import { DAY, HOUR } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import { setUpTill, type TestTill } from "../../../testing/test-till.ts";
import { NIGHTLY_CHECKS_JOB, readTurnedRed } from "./index.ts";

let shop: TestGateway;
let owner: TestTill;
let freeBytes = 100 * 1024 ** 3;

const sellIn = (till_environment: "test" | "live") =>
  writerOf(shop.gateway.context.db).updateTable("shops").set({ till_environment }).execute();

const red = async () =>
  (await readTurnedRed(shop.gateway.context.db, "default")).map(({ check }) => check);

async function skipNight(): Promise<void> {
  shop.clock.set(shop.clock.now() + DAY);
  await shop.settle();
}

beforeAll(async () => {
  shop = await startTestGateway({ readFreeBytes: async () => freeBytes });
  owner = await setUpTill(shop, { currency: "GTQ", rate: "7.65", timeZone: "America/Guatemala" });
  expect(owner.staffId).not.toBe("");
});
afterAll(() => shop.close());

it("the nightly checks do not run while the shop sells in test", async () => {
  freeBytes = 0;
  await skipNight();
  await skipNight();
  expect(await red()).toEqual([]);
  freeBytes = 100 * 1024 ** 3;
});

it("the nightly checks report only new failures, at four in the shop's time zone", async () => {
  await sellIn("live");
  await skipNight();
  expect(await red()).toEqual([]);
  freeBytes = 1024 ** 3;
  const night = (34 * HOUR - (shop.clock.now() % DAY)) % DAY;
  await shop.advance(night - HOUR);
  expect(await red()).toEqual([]);
  await shop.advance(2 * HOUR);
  const turned = await readTurnedRed(shop.gateway.context.db, "default");
  expect(turned).toMatchObject([{ check: "DISK_HAS_ROOM" }]);
  expect(new Date(turned[0]?.since ?? 0).toISOString()).toContain("T10:00:00");
  const { environment } = (await shop.call("GET", "/pos/status")).body;
  expect(environment).toBe("live");
});

it("a reported failure stays the same until the check passes again", async () => {
  const [before] = await readTurnedRed(shop.gateway.context.db, "default");
  await skipNight();
  const [after] = await readTurnedRed(shop.gateway.context.db, "default");
  expect(after).toEqual(before);
  freeBytes = 100 * 1024 ** 3;
  await skipNight();
  expect(await red()).toEqual([]);
});

it("a start keeps a check that is due within a day, and reschedules a check that a clock change delayed by more", async () => {
  const dueAt = async () => {
    const { db } = shop.gateway.context;
    const jobs = db.selectFrom("jobs").select("run_at").where("kind", "=", NIGHTLY_CHECKS_JOB);
    return (await jobs.executeTakeFirstOrThrow()).run_at;
  };
  const due = await dueAt();
  await shop.restart();
  expect(await dueAt()).toBe(due);
  const late = shop.clock.now() + 30 * DAY;
  await writerOf(shop.gateway.context.db)
    .updateTable("jobs")
    .set({ run_at: late })
    .where("kind", "=", NIGHTLY_CHECKS_JOB)
    .execute();
  await shop.restart();
  expect(await dueAt()).toBe(due);
});
