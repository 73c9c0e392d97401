import { ENVIRONMENTS } from "../contract/common.ts";
import { NO_ACCOUNT } from "../db/account-lock.ts";
import type { Db, Tx } from "../db/database.ts";
import type { Transactor } from "../db/transactor.ts";
import type { Clock } from "../lib/clock.ts";
import { currencyDivisor } from "../lib/money.ts";
import { openWallet } from "../modules/books/wallet/index.ts";
import { loadSandboxCatalog, readSandboxRows } from "../modules/catalog/catalog/index.ts";
import type { RechargeService } from "../modules/office/recharges/index.ts";

/** The account of every shop. A gateway has no other account. */
export const DEFAULT_ACCOUNT = "default";

const WALLET_CURRENCY = "USD";
/** Initial balance of the test wallet (rules#wallet-one-per-environment). */
const TEST_FUNDS_MINOR = 100_000;

interface FirstStartDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
  recharges: RechargeService;
  config: { resourcesDir: string };
}

export async function ensureAccount(deps: FirstStartDeps): Promise<void> {
  if (await accountExists(deps.db)) return;
  const catalog = await readSandboxRows(deps.config.resourcesDir);
  const at = deps.clock.now();
  await deps.transactor.transact(NO_ACCOUNT, async (tx) => {
    if (await accountExists(tx)) return;
    await tx
      .insertInto("accounts")
      .values({
        account_id: DEFAULT_ACCOUNT,
        wallet_currency: WALLET_CURRENCY,
        wallet_currency_divisor: currencyDivisor(WALLET_CURRENCY),
        created_at: at,
      })
      .execute();
    for (const environment of ENVIRONMENTS) {
      await tx
        .insertInto("environment_settings")
        .values({ account_id: DEFAULT_ACCOUNT, environment, queue_enabled: 1 })
        .execute();
      await openWallet(tx, { accountId: DEFAULT_ACCOUNT, environment }, WALLET_CURRENCY);
    }
    const test = { accountId: DEFAULT_ACCOUNT, environment: "test" } as const;
    await deps.recharges.rechargeSandbox(tx, test, TEST_FUNDS_MINOR);
    await loadSandboxCatalog(tx, DEFAULT_ACCOUNT, catalog, at);
  });
}

async function accountExists(db: Db | Tx): Promise<boolean> {
  const row = await db
    .selectFrom("accounts")
    .select("account_id")
    .where("account_id", "=", DEFAULT_ACCOUNT)
    .executeTakeFirst();
  return row !== undefined;
}
