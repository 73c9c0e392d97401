import { Type } from "typebox";
import { ENVIRONMENTS } from "../../../contract/common.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { environmentSetting, readSetting, writeSetting } from "../../../db/settings.ts";
import { onNextTurn } from "../../../lib/clock.ts";
import { type Balances, getBalances, toBalanceRecord } from "../../books/wallet/index.ts";
import { enqueueMessage, takesMessages } from "../../messages/webhooks/index.ts";
import type { Base } from "../../module.ts";
import { findAlert } from "../../office/wallet-office/index.ts";
import type { ShopService } from "../../shop/shop/index.ts";

/** Factor between the balances at which a low balance starts and ends (rules#alert-wallet). */
const END_FACTOR = 1.2;
/** Limit in a sandbox, where nobody can set one: 10.00. */
const SANDBOX_LIMIT_MINOR = 1_000;
/** Tables on which the messages of a sandbox depend. A sandbox uses only the test environment. */
const READ_TABLES = ["ledger_accounts", "webhook_endpoints"];
const SANDBOX_ENVIRONMENTS = ["test"] as const;

/** Whether the webhooks were notified of the present low balance. */
const BALANCE_NOTICE = environmentSetting("balance_notice", Type.Object({ isLow: Type.Boolean() }));

interface BalanceMessagesDeps
  extends Pick<Base, "accountId" | "db" | "transactor" | "clock" | "ids" | "log"> {
  shop: Pick<ShopService, "find">;
  isSandbox: boolean;
}

/**
 * Sends a low balance to the webhooks of environments in which no till sells: their wallets have no
 * alerts. A balance is sent once, until it has risen a fifth above the limit.
 */
export class BalanceMessages {
  readonly #deps: BalanceMessagesDeps;
  #isScheduled = false;
  #isStopped = true;
  #turn: Promise<void> = Promise.resolve();

  constructor(deps: BalanceMessagesDeps) {
    this.#deps = deps;
    // No timer, so that an advance of the sandbox's clock has no additional steps.
    if (!deps.isSandbox) return;
    deps.transactor.onCommit((written) => {
      // The many commits of an advance change no balance.
      if (READ_TABLES.some((table) => written.has(table))) this.#schedule();
    });
  }

  start(): void {
    this.#isStopped = false;
    if (this.#deps.isSandbox) this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#turn;
  }

  async check(): Promise<void> {
    const { accountId, db, shop, isSandbox } = this.#deps;
    const selling = (await shop.find(accountId))?.tillEnvironment;
    for (const environment of isSandbox ? SANDBOX_ENVIRONMENTS : ENVIRONMENTS) {
      const scope = { accountId, environment };
      if (environment === selling) continue;
      if ((await this.#findChange(db, scope)) !== undefined) await this.#write(scope);
    }
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isStopped) return;
    this.#isScheduled = true;
    onNextTurn(() => {
      this.#isScheduled = false;
      if (this.#isStopped) return;
      const { log } = this.#deps;
      this.#turn = this.#turn
        .then(() => this.check())
        .catch((error: unknown) => log.warn({ err: error }, "the check of the balance failed"));
    });
  }

  #write({ accountId, environment }: Scope): Promise<void> {
    const { transactor, clock, ids } = this.#deps;
    const scope = { accountId, environment };
    return transactor.transact(accountId, async (tx) => {
      const change = await this.#findChange(tx, scope);
      if (!change) return;
      const { isLow, balances } = change;
      await writeSetting(tx, scope, BALANCE_NOTICE, { isLow });
      if (!isLow) return;
      const message = { kind: "BALANCE", subject: ids.uuid(), at: clock.now() } as const;
      await enqueueMessage(tx, { ...scope, ...message }, async () => toBalanceRecord(balances));
    });
  }

  /**
   * A low balance waits for a webhook that takes messages. Its end is stored without one: otherwise,
   * a later webhook would not receive the next low balance.
   * @returns undefined if the stored notice is right
   */
  async #findChange(
    db: Db | Tx,
    scope: Scope,
  ): Promise<{ isLow: boolean; balances: Balances } | undefined> {
    const { isLow: wasLow } = (await readSetting(db, scope, BALANCE_NOTICE)) ?? { isLow: false };
    const balances = await getBalances(db, scope);
    const { lowAmount = this.#deps.isSandbox ? SANDBOX_LIMIT_MINOR : 0 } = await findAlert(
      db,
      scope,
    );
    const { available } = balances;
    const isLow =
      available <= Math.max(lowAmount, 0) || (wasLow && available < lowAmount * END_FACTOR);
    if (isLow === wasLow) return undefined;
    if (isLow && !(await takesMessages(db, scope, "BALANCE"))) return undefined;
    return { isLow, balances };
  }
}
