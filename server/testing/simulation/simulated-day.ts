import type { Environment } from "../../contract/common.ts";
import { FAMILIES, FAMILY_FACTS, type Family } from "../../contract/pos/families.ts";
import type { WebhookKind } from "../../contract/pos/webhooks.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../lib/clock.ts";
import type { FakeClock } from "../fake-clock.ts";
import { bodyOf } from "./goods.ts";
import type { Random } from "./random.ts";
import type { SentPurchase } from "./sent-purchase.ts";
import { SimulatedCounter } from "./simulated-counter.ts";
import type { SimulatedProvider } from "./simulated-provider.ts";
import type { SimulatedReceiver } from "./simulated-receiver.ts";
import type { SimulatedShop } from "./simulated-shop.ts";
import type { TemplateShop } from "./template-shop.ts";

/** Maximum duration of a transaction, with a margin for work in progress. */
const TIMEOUT_MS = 26 * HOUR;

interface SimulatedDayDeps {
  random: Random;
  clock: FakeClock;
  provider: SimulatedProvider;
  receiver: SimulatedReceiver;
  shop: SimulatedShop;
  template: TemplateShop;
}

export class SimulatedDay {
  readonly #deps: SimulatedDayDeps;
  readonly sent: SentPurchase[] = [];
  readonly trace: string[] = [];
  #movedBack_ms = 0;

  readonly counter: SimulatedCounter;

  constructor(deps: SimulatedDayDeps) {
    this.#deps = deps;
    this.counter = new SimulatedCounter({ ...deps, note: (line) => this.#note(line) });
  }

  async begin(): Promise<void> {
    const { random, shop } = this.#deps;
    const { webhooks, accountId } = shop.context;
    const listen = (environment: Environment, kind: WebhookKind, path: string) =>
      webhooks.add(
        { accountId, staffId: undefined },
        { environment, kind, url: `https://shop.example/${path}` },
      );
    for (const environment of ["test", "live"] as const) {
      for (const kind of FAMILIES) {
        if (random.chance(0.7)) await listen(environment, kind, `results/${kind}`);
      }
      if (random.chance(0.3)) await listen(environment, "TRANSACTION", "verify");
    }
  }

  async act(): Promise<void> {
    const { random, shop } = this.#deps;
    const action = random.weighted({
      buy: 7,
      sell: 9,
      wait: 6,
      repeat: 2,
      refund: 2,
      recharge: 1,
      crash: 1,
      crashLater: 3,
      restart: 1,
      jump: 1,
      queue: 1,
    });
    await this[action]();
    await shop.settle();
    if (!shop.isRunning) {
      this.#note("the power went");
      await shop.start();
    }
  }

  async buy(): Promise<void> {
    const { random } = this.#deps;
    const environment = random.pick(["test", "live"] as const);
    const family = random.pick(FAMILIES);
    const body = this.#bodyOf(environment, family, `sale-${this.sent.length}`);
    const purchase = { environment, family, body, accepted: false };
    this.sent.push(purchase);
    await this.#send(purchase);
  }

  async sell(): Promise<void> {
    await this.counter.act();
  }

  async repeat(): Promise<void> {
    const purchase = this.#anySent();
    if (purchase) await this.#send(purchase);
  }

  async refund(): Promise<void> {
    const purchase = this.#anySent((sent) => sent.family === "ESIM");
    if (!purchase) return;
    const { environment, body } = purchase;
    const path = `/esim/purchases/${body.transactionId}/refund`;
    const answer = await this.#deps.shop.call(environment, "POST", path);
    this.#note(`refund ${body.transactionId}: ${answer?.body.status ?? answer?.body.errorCode}`);
  }

  async recharge(): Promise<void> {
    const { random, shop } = this.#deps;
    const available = random.pick([0, 1_000, 100_000, 1_000_000]);
    const { recharges, accountId } = shop.context;
    const scope = { accountId, environment: "test" } as const;
    await recharges.setTestWallet(scope, available).catch(() => {
      if (shop.isRunning) throw new Error("a recharge failed");
    });
    this.#note(`the test wallet is set to ${available}`);
  }

  async wait(): Promise<void> {
    const { random } = this.#deps;
    await this.#pass(random.pick([SECOND, 30 * SECOND, 15 * MINUTE, 3 * HOUR, 8 * HOUR]));
  }

  async crash(): Promise<void> {
    await this.#deps.shop.crash();
  }

  async crashLater(): Promise<void> {
    this.#deps.shop.crashAfter(this.#deps.random.integer(1, 12));
  }

  async restart(): Promise<void> {
    const { shop } = this.#deps;
    await shop.stop();
    await shop.start();
    this.#note("restarted in good order");
  }

  async jump(): Promise<void> {
    const { clock, random } = this.#deps;
    // The clock goes back by 30 seconds at most, because a larger step stops all sales
    // (rules#business-time).
    const by = random.pick([-30 * SECOND, -SECOND, MINUTE, HOUR, 2 * DAY]);
    clock.jump(by);
    this.#movedBack_ms += Math.max(0, -by);
    this.#note(`the clock jumped by ${by / MINUTE} min`);
  }

  async queue(): Promise<void> {
    const { random, shop } = this.#deps;
    const environment = random.pick(["test", "live"] as const);
    const queueEnabled = random.chance(0.6);
    const { settings, accountId } = shop.context;
    await settings.change({ accountId }, { [environment]: { queueEnabled } }).catch(() => {
      if (shop.isRunning) throw new Error("a setting could not be changed");
    });
    this.#note(`queueing in ${environment} is ${queueEnabled ? "on" : "off"}`);
  }

  /**
   * Waits until all work has ended. In half of the runs, the provider has no failures from now on.
   */
  async end(): Promise<void> {
    const { clock, random, provider, receiver, shop } = this.#deps;
    provider.healthy = random.chance(0.5);
    receiver.healthy = true;
    const until = clock.now() + TIMEOUT_MS + DAY + this.#movedBack_ms;
    while (clock.now() < until && (await this.#unfinished()) > 0) {
      await this.#pass(15 * MINUTE);
      if (!shop.isRunning) await shop.start();
    }
    shop.crashNoMore();
    await this.counter.drawers.end();
    await shop.settle();
    this.#note(`ended after ${shop.crashes} crashes`);
  }

  async #unfinished(): Promise<number> {
    const { db } = this.#deps.shop.context;
    const transactions = await db
      .selectFrom("transactions")
      .select("transaction_id")
      .where("finished_at", "is", null)
      .execute();
    const deliveries = await db
      .selectFrom("webhook_deliveries")
      .select("delivery_id")
      .where("state", "=", "PENDING")
      .execute();
    return transactions.length + deliveries.length;
  }

  async #send(purchase: SentPurchase): Promise<void> {
    const { environment, family, body } = purchase;
    const { path } = FAMILY_FACTS[family];
    const answer = await this.#deps.shop.call(environment, "POST", `/${path}/purchases`, body);
    if (answer?.status === 200) purchase.accepted = true;
    const said = answer?.body.status ?? answer?.body.errorCode ?? "no answer";
    this.#note(`${path} ${environment}/${body.transactionId}: ${said}`);
  }

  async #pass(milliseconds: number): Promise<void> {
    const { clock, shop, random } = this.#deps;
    const until = clock.now() + milliseconds;
    while (clock.now() < until && shop.isRunning) {
      const step = random.pick([SECOND, MINUTE, 15 * MINUTE, 15 * MINUTE]);
      clock.set(Math.min(until, clock.now() + step));
      await shop.settle();
    }
    this.#note(`${milliseconds / SECOND} s later`);
  }

  #anySent(which: (sent: SentPurchase) => boolean = () => true): SentPurchase | undefined {
    const candidates = this.sent.filter(which);
    return candidates.length === 0 ? undefined : this.#deps.random.pick(candidates);
  }

  #bodyOf(environment: Environment, family: Family, transactionId: string) {
    const { random } = this.#deps;
    const number = `+5025${random.integer(1_000_000, 9_999_999)}`;
    const isAlike = (sent: SentPurchase) =>
      sent.family === family && sent.environment === environment;
    const boughtBefore = () => this.#anySent(isAlike) !== undefined;
    return bodyOf(family, transactionId, { random, number, boughtBefore });
  }

  #note(line: string): void {
    this.trace.push(line);
  }
}
