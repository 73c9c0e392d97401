import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { digestDatabase } from "../testing/database-digest.ts";
import { typeCommand } from "../testing/run-program.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";
import { setUpTill, type TestTill } from "../testing/test-till.ts";
import { stepBoth, walkToLive } from "../testing/way-to-live.ts";

let office: TestGateway;
let shop: TestGateway;
let owner: TestTill;

beforeAll(async () => {
  office = await startTestGateway();
  shop = await startTestGateway();
  owner = await setUpTill(shop, { currency: "GTQ", rate: "7.65" });
});
afterAll(async () => {
  await shop.close();
  await office.close();
});

const set = (...args: string[]) => typeCommand(shop.dataDir, ["settings", "set", ...args]);
const status = async () => (await owner.pos("GET", "/status")).body;

describe("tillgate settings set --till-environment", () => {
  it("prints each unmet requirement in one line, and changes nothing", async () => {
    const before = await digestDatabase(shop.gateway.context.db);
    const { exitCode, stdout, stderr } = await set("--till-environment", "live");
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr.trimEnd().split("\n")).toEqual([
      "The shop cannot sell in live yet:",
      "No gateway is connected to live. Connect it: tillgate upstream connect --env live.",
      "Its catalog has not been fetched yet: tillgate upstream sync --env live.",
      "The exchange rate 7.65 is of 2026-01-15, older than 7 days. Set today's: tillgate settings set --rate.",
      "The live wallet is empty. Book what you paid in: tillgate wallet recharge --env live.",
      "Olga still has the PIN of set-up. Change it, under Staff (F10).",
      "No backup was ever restored. Try one under Test and live.",
      "Nobody has confirmed the shop's time zone, UTC. Do so under Test and live.",
      "Nothing was sold live yet. Make the first sale under Test and live: the cheapest offer to your own number.",
    ]);
    expect(await digestDatabase(shop.gateway.context.db)).toEqual(before);
    expect((await status()).environment).toBe("test");
  });

  it.each([
    [["--till-environment", "moon"], "--till-environment must be test or live"],
    [["--till-environment", "live", "--queue", "on", "--env", "test"], "a command of its own"],
    [["--rate", "seven"], "--rate must be a decimal number"],
    [["--rate", "0"], "must be more than 0"],
  ])("refuses %j", async (args, words) => {
    const { exitCode, stderr } = await set(...args);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(words);
  });

  it("switches the shop to live once all requirements are met, and back to test, beside a running gateway", async () => {
    const { context } = shop.gateway;
    const live = { accountId: "default", environment: "live", staffId: undefined } as const;
    const there = { baseUrl: office.url, key: office.key("test"), allowPrivate: true };
    await context.upstream.connect(live, there);
    await context.upstreamSync.sync(live);
    await context.recharges.recharge(live, 50_000);
    await owner.pos("PATCH", `/staff/${owner.staffId}`, { pin: "603914" });
    owner = await owner.signIn(owner.staffId, "603914", { shift: false });
    expect((await set("--rate", "7.7")).stdout).toContain("rate 7.7 GTQ");
    await walkToLive({
      pin: "603914",
      call: owner.pos,
      until: stepBoth(office, shop),
      wait: (isSo) => vi.waitUntil(isSo, { timeout: 60_000, interval: 200 }),
    });

    // Commands and the real provider use the machine's clock.
    office.clock.set(Date.now());
    const gone = await set("--till-environment", "live");
    expect([gone.exitCode, gone.stderr]).toEqual([0, ""]);
    expect(gone.stdout).toContain("tills sell in live");
    expect(gone.stdout).toContain("Note: Not practised in the test environment yet");
    expect((await status()).environment).toBe("live");
    expect((await typeCommand(shop.dataDir, ["settings", "get"])).stdout).toContain(
      "tills sell in live",
    );
    const back = await set("--till-environment", "test");
    expect([back.exitCode, back.stderr]).toEqual([0, ""]);
    expect((await status()).environment).toBe("test");
    const { list } = (await owner.pos("GET", "/audit-trail?limit=5&action=till.environment")).body;
    expect(
      list.map(({ detail, staff }: { detail: object; staff?: object }) => ({ detail, staff })),
    ).toEqual([{ detail: { from: "live", to: "test" } }, { detail: { from: "test", to: "live" } }]);
  }, 120_000);
});
