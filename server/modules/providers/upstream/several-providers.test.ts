import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CheckedForLive } from "../../../contract/pos/till-environment.ts";
import { DAY, SECOND } from "../../../lib/clock.ts";
import { writerOf } from "../../../testing/direct-writes.ts";
import { type FakeReloadly, startFakeReloadly } from "../../../testing/fake-reloadly.ts";
import { OWNER, startReloadlyShop } from "../../../testing/providers-under-test.ts";
import { typeCommand } from "../../../testing/run-program.ts";
import type { TestGateway } from "../../../testing/test-gateway.ts";
import { OWNER_PIN, openTill } from "../../../testing/test-till.ts";

const SECOND_PROVIDER = { ...OWNER, providerId: "p2" };
const OFFER = "RLD-88-5.00-USD";
const SAME_OFFER = `${OFFER}:p2`;

let till: TestGateway;
let first: FakeReloadly;
let second: FakeReloadly;

beforeEach(async () => {
  ({ till, fake: first } = await startReloadlyShop());
  second = await startFakeReloadly(till.clock);
  await settle();
});
afterEach(async () => {
  await settle();
  await till.expectCleanBooks();
  await till.close();
  await Promise.all([first, second].map((fake) => fake.close()));
});

async function settle(): Promise<void> {
  await till.settle();
  await till.gateway.context.engine.idle();
  await till.settle();
}

function connect(fake: FakeReloadly, change: { newName?: string; providerId?: string }) {
  const { url: baseUrl, clientId, secret: key } = fake;
  const typed = { kind: "reloadly", baseUrl, clientId, key, allowPrivate: true } as const;
  return till.gateway.context.upstream.connect(OWNER, { ...typed, ...change });
}

/** Connects a provider that sells the products of the first, and one more. */
async function addSecond(): Promise<void> {
  const [tigo] = second.operators;
  const more = { operatorId: 91, name: "Movistar Guatemala", fixedAmounts: [3] };
  second.operators = [...second.operators, { ...tigo, ...more }];
  await connect(second, { newName: "South" });
  await till.gateway.context.upstreamSync.sync(SECOND_PROVIDER);
}

async function listOffers(): Promise<Map<string, { brandName: string; enabled: boolean }>> {
  const { body } = await till.v1("GET", "/topups/offers?_limit=50&_offset=0", undefined, "live");
  return new Map(body.list.map((offer: { offerId: string }) => [offer.offerId, offer]));
}

async function buy(transactionId: string, offerId: string) {
  const body = { offerId, transactionId, recipientPhoneNumber: "+50251234567" };
  const answer = await till.v1("POST", "/topups/purchases", body, "live");
  await settle();
  if (answer.status !== 200) return answer.body;
  return (await till.v1("GET", `/topups/purchases/${transactionId}`, undefined, "live")).body;
}

async function sellLive(): Promise<void> {
  await openTill(till);
  await sql`update shops set till_environment = 'live'`.execute(writerOf(till.gateway.context.db));
}

const idsAt = (fake: FakeReloadly) => [...fake.books.keys()];

describe("a second provider", () => {
  it("sells its offers beside those of the first, which stays as it is", async () => {
    const { upstream } = till.gateway.context;
    const before = await upstream.getStatus(OWNER);
    const offers = [...(await listOffers()).keys()];
    await addSecond();
    expect((await upstream.getStatus(OWNER)).stored).toEqual(before.stored);
    const all = [...(await listOffers()).keys()];
    expect(all.toSorted()).toEqual([...offers, "RLD-91-3.00-USD:p2"].toSorted());
    expect((await buy("sale-1", OFFER)).status).toBe("DONE");
    const other = await buy("sale-2", SAME_OFFER);
    expect(other).toMatchObject({ status: "DONE", offerId: SAME_OFFER });
    expect([idsAt(first), idsAt(second)]).toEqual([["sale-1"], ["sale-2"]]);
  });

  it("keeps its offers and the name of a shared brand when the first is synced", async () => {
    await addSecond();
    first.operators = [{ ...first.operators[0], name: "Tigo new", fixedAmounts: [5] }];
    const { sections } = await till.gateway.context.upstreamSync.sync(OWNER);
    expect(sections.topups).toMatchObject({ added: 0, removed: 3 });
    const offers = await listOffers();
    const others = ["RLD-88-10.50-USD", "RLD-88-20.00-USD", "RLD-90-USD", "RLD-91-3.00-USD"];
    expect([...offers.keys()].toSorted()).toEqual(
      [OFFER, ...others.map((id) => `${id}:p2`)].toSorted(),
    );
    expect(offers.get(OFFER)?.brandName).toBe("Tigo Guatemala");
    const again = await till.gateway.context.upstreamSync.sync(SECOND_PROVIDER);
    expect(again.sections).toMatchObject({
      brands: { added: 0, changed: 0, removed: 0 },
      topups: { added: 0, changed: 0, removed: 0 },
    });
  });

  it("removes only its own offers when its catalog loses them", async () => {
    await addSecond();
    second.operators = [];
    const { sections } = await till.gateway.context.upstreamSync.sync(SECOND_PROVIDER);
    expect(sections.topups).toMatchObject({ removed: 5 });
    expect([...(await listOffers()).keys()]).toHaveLength(4);
    expect((await buy("sale-1", OFFER)).status).toBe("DONE");
  });

  it("answers for its purchases, and the first is not asked", async () => {
    await addSecond();
    second.interfere = ({ path, accept, request }) => {
      if (path !== "/topups") return path === "/topups/reports/transactions" && cut(request.socket);
      accept();
      return cut(request.socket);
    };
    expect((await buy("sale-1", SAME_OFFER)).status).toBe("IN_PROGRESS");
    second.interfere = () => false;
    const asked: string[] = [];
    first.interfere = ({ path }) => {
      asked.push(path);
      return false;
    };
    await till.advance(16 * 60 * SECOND);
    await settle();
    const { body } = await till.v1("GET", "/topups/purchases/sale-1", undefined, "live");
    expect([body.status, asked]).toEqual(["DONE", []]);
  });

  it("cannot be connected in another currency, and the first keeps selling", async () => {
    second.balance = { balance: 10, currencyCode: "EUR", currencyName: "Euro" };
    await expect(connect(second, { newName: "South" })).rejects.toThrow(
      "Its wallet is kept in EUR, yours in USD.",
    );
    expect(await till.gateway.context.upstream.list(OWNER)).toHaveLength(1);
    expect((await buy("sale-1", OFFER)).status).toBe("DONE");
  });

  it("cannot be the account of another provider, and needs a name of its own", async () => {
    const host = new URL(first.url).host;
    await expect(connect(first, { newName: "Twin" })).rejects.toThrow(
      `This account is connected already, as ${host}.`,
    );
    await connect(second, { newName: "South" });
    await expect(connect(second, { newName: "south" })).rejects.toThrow(
      "Another provider has the name south.",
    );
    await expect(connect(second, { providerId: "p7" })).rejects.toThrow("no provider p7");
  });

  it("cannot be a provider's test environment, which sells nothing real", async () => {
    const { upstream } = till.gateway.context;
    const port = new URL(second.url).port;
    const sandbox = { kind: "reloadly", baseUrl: `http://sandbox.localhost:${port}` } as const;
    const gateway = { kind: "gateway", baseUrl: second.url } as const;
    const typed = { key: "test_key-of-another-gateway", allowPrivate: true };
    const clientId = { clientId: "client-id-of-the-shop" };
    for (const place of [{ newName: "South" }, { providerId: "first" }]) {
      if (place.providerId) await sellLive();
      for (const change of [gateway, { ...sandbox, ...clientId }]) {
        await expect(upstream.connect(OWNER, { ...typed, ...change, ...place })).rejects.toThrow(
          "This is the provider's test environment",
        );
      }
    }
    expect(await upstream.list(OWNER)).toHaveLength(1);
  });

  it("stops going live while it has a test key", async () => {
    await addSecond();
    const { db, sealer } = till.gateway.context;
    const [owner, to] = [await openTill(till), { to: "live" }];
    const check = async () => {
      const { body } = await owner.pos("POST", "/till-environment/checks", to);
      const checks: CheckedForLive[] = body.checks;
      return checks.filter((one) => one.check === "GATEWAY_KEY_LIVE");
    };
    expect(await check()).toMatchObject([{ passed: true }]);
    const key_sealed = sealer.seal("test_key-of-another-gateway");
    await writerOf(db)
      .updateTable("upstreams")
      .set({ kind: "gateway", key_sealed, allow_private: 0 })
      .where("provider_id", "=", "p2")
      .execute();
    const message = expect.stringMatching(/^South: The gateway's key is one of its test/);
    expect(await check()).toMatchObject([{ passed: false, stops: true, message }]);
  });

  it("has a balance that counts in the comparison with the wallet", async () => {
    await addSecond();
    const { upstream, others, difference, available } =
      await till.gateway.context.upstream.test(OWNER);
    expect([upstream, others]).toEqual([500_023, 500_023]);
    expect(difference).toBe(upstream + others - available);
  });
});

function cut(socket: { destroy(): unknown }): true {
  socket.destroy();
  return true;
}

describe("a paused or disconnected provider", () => {
  beforeEach(addSecond);

  it("cannot be replaced by another while a purchase waits for its first attempt", async () => {
    const { brandPauses } = till.gateway.context;
    await brandPauses.pause(OWNER, "RLD-88");
    expect((await buy("sale-1", OFFER)).status).not.toBe("DONE");
    const third = await startFakeReloadly(till.clock);
    await expect(connect(third, { providerId: "first" })).rejects.toThrow(
      "1 purchases are still under way",
    );
    await brandPauses.resume(OWNER, "RLD-88");
    await settle();
    expect([idsAt(first), idsAt(third)]).toEqual([["sale-1"], []]);
    await third.close();
  });

  it("accepts a new key that knows an earlier purchase, after newer ones of another provider", async () => {
    await buy("sale-1", OFFER);
    await till.advance(SECOND);
    for (const id of ["sale-2", "sale-3", "sale-4"]) await buy(id, SAME_OFFER);
    first.interfere = ({ path, request }) => path.startsWith("/topups") && cut(request.socket);
    expect((await buy("sale-5", OFFER)).status).toBe("IN_PROGRESS");
    const renewed = "renewed-secret-of-the-shop-0123456789";
    first.interfere = ({ path, reply }) => {
      if (path !== "/oauth/token") return false;
      reply(200, { access_token: "token-1", expires_in: 60, token_type: "Bearer" });
      return true;
    };
    await connect({ ...first, secret: renewed }, { providerId: "first" });
    expect((await till.gateway.context.upstream.list(OWNER))[0]?.connectedAt).toBe(
      till.clock.now(),
    );
  });

  it("sells nothing while it is paused, and the others sell", async () => {
    const { upstream } = till.gateway.context;
    await upstream.pause(SECOND_PROVIDER, true);
    expect((await buy("sale-1", SAME_OFFER)).errorCode).toBe("OFFER_DISABLED");
    expect((await buy("sale-2", OFFER)).status).toBe("DONE");
    expect((await buy("sale-4", "RLD-91-3.00-USD:p2")).errorCode).toBe("OFFER_DISABLED");
    await upstream.pause(SECOND_PROVIDER, false);
    expect((await buy("sale-3", SAME_OFFER)).status).toBe("DONE");
    const trail = await till.gateway.context.db
      .selectFrom("audit_trail")
      .select("action")
      .where("action", "in", ["upstream.pause", "upstream.resume"])
      .execute();
    expect(trail).toHaveLength(2);
  });

  it("sells nothing after its disconnection: the other provider sells its products", async () => {
    const { upstream } = till.gateway.context;
    await upstream.disconnect(OWNER);
    first.operators = [];
    expect((await buy("sale-1", OFFER)).status).toBe("DONE");
    expect((await buy("sale-2", SAME_OFFER)).status).toBe("DONE");
    expect([idsAt(first), idsAt(second)]).toEqual([[], ["sale-1", "sale-2"]]);
    expect((await upstream.getStatus(OWNER)).stored?.providerId).toBe("p2");
    expect((await buy("sale-4", "UNKNOWN")).errorCode).toBe("OFFER_NOT_FOUND");
    await connect(first, { providerId: "first" });
    expect((await buy("sale-3", OFFER)).status).toBe("DONE");
  });

  it("stays connected if the removal of the first is repeated after a lost answer", async () => {
    const owner = await openTill(till);
    const remove = (query = "") => owner.pos("DELETE", `/upstream${query}`);
    const { body } = await owner.pos("GET", "/upstream");
    expect(body.providerId).toBe("first");
    const asked = `?providerId=${body.providerId}`;
    expect((await remove(asked)).status).toBe(200);
    expect((await owner.pos("GET", "/upstream")).body.providerId).toBe("p2");
    for (const query of [asked, ""]) {
      expect((await remove(query)).body.errorCode).toBe("NOT_FOUND");
    }
    const again = { baseUrl: second.url, key: "live_key-of-a-gateway", allowPrivate: true };
    const put = { ...again, providerId: "p9" };
    expect((await owner.pos("PUT", "/upstream", put)).body.errorCode).toBe("NOT_FOUND");
    const [, south] = await till.gateway.context.upstream.list(OWNER);
    expect(south?.keySealed).toBeDefined();
  });

  it("has a catalog that its own job syncs", async () => {
    second.operators = second.operators.slice(0, 2);
    await till.advance(DAY);
    await settle();
    expect([...(await listOffers()).keys()]).not.toContain("RLD-91-3.00-USD:p2");
    expect(
      (await till.gateway.context.upstream.list(OWNER)).map(({ syncedAt }) => syncedAt),
    ).toEqual([till.clock.now(), till.clock.now()].map(() => expect.any(Number)));
  });
});

describe("a product of two providers", () => {
  const DISCOUNT = { internationalDiscount: 10 };

  async function setDiscount(fake: FakeReloadly, providerId: string): Promise<void> {
    fake.operators = fake.operators.map((operator) => ({ ...operator, ...DISCOUNT }));
    await till.gateway.context.upstreamSync.sync({ ...OWNER, providerId });
  }

  beforeEach(addSecond);

  it("goes to the provider that was connected first if both cost the same", async () => {
    expect(await buy("sale-1", OFFER)).toMatchObject({ status: "DONE", cost: 478 });
    expect([idsAt(first), idsAt(second)]).toEqual([["sale-1"], []]);
  });

  it("goes to the cheaper provider under the same id and price", async () => {
    const before = await buy("sale-1", OFFER);
    await setDiscount(second, "p2");
    const cheaper = await buy("sale-2", OFFER);
    expect(cheaper).toMatchObject({ status: "DONE", offerId: OFFER, cost: 450 });
    expect(before.cost).toBe(478);
    expect([idsAt(first), idsAt(second)]).toEqual([["sale-1"], ["sale-2"]]);
    expect(await listOffers()).toHaveProperty("size", 5);
  });

  it("goes to the preferred provider even if another is cheaper", async () => {
    const { providerOrders } = till.gateway.context;
    await setDiscount(first, "first");
    await providerOrders.setOrder(OWNER, { brand: "RLD-88" }, ["p2"]);
    await buy("sale-1", OFFER);
    await buy("sale-2", "RLD-88-20.00-USD");
    await providerOrders.setOrder(OWNER, { brand: "RLD-88" }, []);
    await buy("sale-3", OFFER);
    expect([idsAt(first), idsAt(second)]).toEqual([["sale-3"], ["sale-1", "sale-2"]]);
  });

  it("counts as the first live sale by the balance of its own provider", async () => {
    const owner = await openTill(till);
    await setDiscount(second, "p2");
    const sale = { transactionId: randomUUID(), offerId: OFFER, pin: OWNER_PIN };
    const recipient = { recipientPhoneNumber: "+50251234567" };
    const path = "/till-environment/first-sale";
    expect((await owner.pos("POST", path, { ...sale, ...recipient })).status).toBe(200);
    await settle();
    second.balance = { balance: 4995.73, currencyCode: "USD", currencyName: "US Dollar" };
    const check = async () => {
      const { body } = await owner.pos("POST", "/till-environment/checks", { to: "live" });
      return body.checks.find((one: CheckedForLive) => one.check === "FIRST_SALE");
    };
    const figures = { state: "GOOD", cost: 450, there: 450, here: 450 };
    expect(await check()).toMatchObject({ passed: true, figures });
    await till.gateway.context.upstream.disconnect(SECOND_PROVIDER);
    expect(await check()).toMatchObject({ passed: false, figures: { state: "NONE" } });
  });

  it("goes to another provider while the preferred one is paused", async () => {
    const { providerOrders, upstream } = till.gateway.context;
    await providerOrders.setOrder(OWNER, {}, ["p2", "first"]);
    await upstream.pause(SECOND_PROVIDER, true);
    await buy("sale-1", OFFER);
    await upstream.pause(SECOND_PROVIDER, false);
    await buy("sale-2", OFFER);
    expect([idsAt(first), idsAt(second)]).toEqual([["sale-1"], ["sale-2"]]);
  });

  it("goes to another provider after the preferred one lacked money, until a higher balance is read", async () => {
    const { providerOrders, upstream } = till.gateway.context;
    await providerOrders.setOrder(OWNER, {}, ["p2"]);
    second.interfere = ({ path, refuse }) => {
      if (path === "/topups") refuse(400, "INSUFFICIENT_BALANCE");
      return path === "/topups";
    };
    expect((await buy("sale-1", OFFER)).status).toBe("DONE");
    expect((await buy("sale-2", OFFER)).status).toBe("DONE");
    expect((await buy("sale-3", OFFER)).status).toBe("DONE");
    second.interfere = () => false;
    await till.advance(60 * SECOND);
    await upstream.test(SECOND_PROVIDER);
    await upstream.test(SECOND_PROVIDER);
    expect((await buy("sale-4", OFFER)).status).toBe("DONE");
    second.balance = { balance: 9_000, currencyCode: "USD", currencyName: "US dollar" };
    await till.advance(60 * SECOND);
    await upstream.test(SECOND_PROVIDER);
    expect((await buy("sale-5", OFFER)).status).toBe("DONE");
    const ofFirst = ["sale-1", "sale-2", "sale-3", "sale-4"];
    expect([idsAt(first), idsAt(second)]).toEqual([ofFirst, ["sale-5"]]);
  });

  it("goes to another provider while its brand is paused at the preferred one", async () => {
    const { providerOrders } = till.gateway.context;
    await providerOrders.setOrder(OWNER, {}, ["p2"]);
    second.interfere = ({ path, refuse }) => {
      if (path === "/topups") refuse(400, "TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT");
      return path === "/topups";
    };
    for (let n = 1; n <= 5; n++) {
      expect((await buy(`failing-${n}`, OFFER)).status).toBe("IN_PROGRESS");
    }
    expect((await buy("sale-1", OFFER)).status).toBe("DONE");
    expect(idsAt(first)).toEqual(["sale-1"]);
    expect(await till.gateway.context.brandPauses.list(OWNER)).toEqual([]);
    second.interfere = () => false;
    // No sale waits that could test the provider, so the next sale after 15 minutes does.
    await till.advance(14 * 60 * SECOND);
    expect((await buy("sale-2", OFFER)).status).toBe("DONE");
    await till.advance(2 * 60 * SECOND);
    expect((await buy("sale-3", OFFER)).status).toBe("DONE");
    expect([idsAt(first), idsAt(second)]).toEqual([["sale-1", "sale-2"], ["sale-3"]]);
  });

  it("can have brands with different codes if the owner joins them", async () => {
    const { providerOrders, upstreamSync } = till.gateway.context;
    const [tigo, ...others] = second.operators;
    second.operators = [{ ...tigo, operatorId: 188, internationalDiscount: 10 }, ...others];
    await upstreamSync.sync(SECOND_PROVIDER);
    expect((await listOffers()).has("RLD-188-5.00-USD:p2")).toBe(true);
    await providerOrders.join(OWNER, "RLD-188", "RLD-88");
    expect((await listOffers()).has("RLD-188-5.00-USD:p2")).toBe(false);
    expect(await buy("sale-1", OFFER)).toMatchObject({
      status: "DONE",
      brand: "RLD-88",
      cost: 450,
    });
    expect(second.submissions).toMatchObject([{ operatorId: "188" }]);
    await providerOrders.join(OWNER, "RLD-188", undefined);
    expect((await listOffers()).has("RLD-188-5.00-USD:p2")).toBe(true);
  });

  it("goes to a provider again after the pause of a joined brand there", async () => {
    const { providerOrders, upstreamSync } = till.gateway.context;
    const [tigo, ...others] = second.operators;
    second.operators = [{ ...tigo, operatorId: 188 }, ...others];
    await upstreamSync.sync(SECOND_PROVIDER);
    await providerOrders.join(OWNER, "RLD-188", "RLD-88");
    await providerOrders.setOrder(OWNER, {}, ["p2"]);
    second.interfere = ({ path, refuse }) => {
      if (path === "/topups") refuse(400, "TRANSACTION_CANNOT_BE_PROCESSED_AT_THE_MOMENT");
      return path === "/topups";
    };
    for (let n = 1; n <= 5; n++) await buy(`failing-${n}`, OFFER);
    expect((await buy("sale-1", OFFER)).status).toBe("DONE");
    second.interfere = () => false;
    await till.advance(16 * 60 * SECOND);
    expect((await buy("sale-2", OFFER)).status).toBe("DONE");
    expect(idsAt(first)).toEqual(["sale-1"]);
    expect(idsAt(second)).toContain("sale-2");
  });

  it("refuses an order that names an unknown provider or brand", async () => {
    const { providerOrders } = till.gateway.context;
    await expect(providerOrders.setOrder(OWNER, {}, ["p9"])).rejects.toThrow("no provider p9");
    const nobody = { brand: "NOBODY" };
    await expect(providerOrders.setOrder(OWNER, nobody, [])).rejects.toThrow("no brand NOBODY");
    await expect(providerOrders.join(OWNER, "RLD-88", "RLD-88")).rejects.toThrow("another brand");
  });
});

describe("the commands of a shop with several providers", () => {
  const live = ["--env", "live"];

  async function run(...args: string[]): Promise<string> {
    const finished = await typeCommand(till, ["upstream", ...args, ...live]);
    return `${finished.exitCode}${finished.stdout}${finished.stderr}`;
  }

  it("name the provider, and ask for its name if it is missing", async () => {
    expect(await run("status")).toMatch(/^0Connected to/);
    const keyFile = join(till.dataDir, "secret.txt");
    writeFileSync(keyFile, `${second.secret}\n`, { mode: 0o600 });
    const place = ["--kind", "reloadly", "--url", second.url, "--client-id", second.clientId];
    const access = ["--key-file", keyFile, "--allow-private", "yes"];
    expect(await run("add", "--name", "South", ...place, ...access)).toMatch(/^0Connected\./);
    expect(await run("status")).toMatch(
      /^1This shop has several providers\. Add --provider NAME: 127\.0\.0\.1:\d+, South\./,
    );
    expect(await run("rename", "--provider", "south", "--name", "North")).toMatch(
      /^0The provider is called North\./,
    );
    expect(await run("sync", "--provider", "north")).toMatch(/^0SECTION .*\n.*\btopups /s);
    expect(await run("status", "--provider", "p2")).toMatch(/^0Connected to .*\nCatalog of /s);
    expect(await run("pause", "--provider", "North")).toMatch(/^0Paused/);
    expect(await run("list")).toMatch(/North\s+paused\s+5000\.23 USD/);
    expect(await run("resume", "--provider", "North")).toMatch(/^0Resumed/);
    expect(await run("disconnect", "--provider", "North")).toBe("0Disconnected.\n");
    expect(await run("list")).toMatch(/North\s+disconnected /);
    expect(await run("test", "--provider", "West")).toMatch(
      /^1There is no provider "West"\. The providers are 127\.0\.0\.1:\d+, North\./,
    );
  });

  it("order the providers, and join their brands", async () => {
    expect(await run("order")).toBe("0Each product is sold by the cheapest provider.\n");
    await addSecond();
    const topups = ["--brand", "RLD-88", "--family", "TOPUP"];
    expect(await run("order", ...topups, "--providers", "South, first")).toMatch(
      /^0RLD-88 TOPUP: South, 127\.0\.0\.1:\d+\n$/,
    );
    await buy("sale-1", OFFER);
    expect(await run("order", ...topups, "--providers", "cheapest")).toBe(
      "0RLD-88 TOPUP: cheapest\n",
    );
    await buy("sale-2", OFFER);
    expect([idsAt(first), idsAt(second)]).toEqual([["sale-2"], ["sale-1"]]);
    expect(await run("join", "--brand", "RLD-91", "--as", "RLD-88")).toBe(
      "0RLD-91 is sold as RLD-88.\n",
    );
    expect(await run("order")).toMatch(/\nRLD-91 is sold as RLD-88\n$/);
    expect(await run("join", "--brand", "RLD-91")).toBe("0RLD-91 is a brand of its own.\n");
    expect(await run("order")).not.toContain("RLD-91");
    for (const [args, reason] of [
      [["--providers", "South,West"], 'There is no provider "West". The providers are 127.'],
      [["--providers", "South,p2"], "must name each provider once"],
      [["--family", "cars", "--providers", "South"], "--family must be TOPUP or "],
      [["--brand", "NOBODY", "--providers", "South"], "There is no brand NOBODY"],
    ] as const) {
      const refused = await run("order", ...args);
      expect([refused.charAt(0), refused]).toEqual(["1", expect.stringContaining(reason)]);
    }
    expect(await run("order")).toBe("0RLD-88 TOPUP: cheapest\n");
  });
});
