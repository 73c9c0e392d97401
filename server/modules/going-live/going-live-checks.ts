import { type CheckedForLive, GOING_LIVE_CHECKS } from "../../contract/pos/till-environment.ts";
import type { Scope } from "../../db/changes.ts";
import type { Db } from "../../db/database.ts";
import type { Clock } from "../../lib/clock.ts";
import type { BackupService } from "../backups/index.ts";
import type { CatalogService } from "../catalog/index.ts";
import type { KeyService } from "../keys/index.ts";
import type { PriceReader } from "../prices/index.ts";
import { listOpenShifts } from "../shifts/index.ts";
import type { ReferenceRates, ShopService } from "../shop/index.ts";
import type { StaffService } from "../staff/index.ts";
import type { StorageService } from "../storage/index.ts";
import type { UpstreamService } from "../upstream/index.ts";
import { getWalletUnit } from "../wallet/index.ts";
import type { WebhookService } from "../webhooks/index.ts";
import type { BackupTrialService } from "./backup-trial.ts";
import { checkCatalog, checkCatalogRead, checkRate } from "./catalog-checks.ts";
import { stopping } from "./checked.ts";
import { checkFirstSale } from "./first-sale-check.ts";
import { checkGateway, queryGateway } from "./gateway-checks.ts";
import { checkSafety, checkTimeZone } from "./safety-checks.ts";
import {
  checkIntegrators,
  checkPaper,
  checkPeople,
  checkPractice,
  checkQueue,
} from "./shop-checks.ts";
import { checkAlerts, checkWallet } from "./wallet-checks.ts";

export interface CheckDeps {
  db: Db;
  clock: Clock;
  shop: ShopService;
  staff: StaffService;
  catalog: CatalogService;
  prices: Pick<PriceReader, "read">;
  upstream: UpstreamService;
  backups: BackupService;
  webhooks: WebhookService;
  keys: KeyService;
  storage: StorageService;
  rates: ReferenceRates;
  backupTrial: Pick<BackupTrialService, "state">;
  /** Bytes that the data may still take; undefined where nobody knows. */
  readFreeBytes(): Promise<number | undefined>;
}

/**
 * Nobody's shift is open where the shop sells now: its money is counted before it sells elsewhere
 * (rules#live-no-open-shift).
 */
export async function checkShifts(
  db: Parameters<typeof listOpenShifts>[0],
  scope: Scope,
): Promise<CheckedForLive> {
  const open = await listOpenShifts(db, scope);
  const staffIds = [...new Set(open.map((shift) => shift.staff_id))];
  const rows =
    staffIds.length === 0
      ? []
      : await db
          .selectFrom("staff")
          .select("name")
          .where("account_id", "=", scope.accountId)
          .where("staff_id", "in", staffIds)
          .orderBy("name")
          .execute();
  const names = rows.map(({ name }) => name).join(", ");
  return stopping("SHIFTS_CLOSED", open.length === 0, { names });
}

/**
 * Whether the shop can sell in live: first what stops it, then what an owner should know
 * (rules#live-conditions). The gateway is queried now, unless it has answered a moment ago. What is done
 * once, on the way there, is no matter for a shop that sells live.
 */
export async function checkForLive(deps: CheckDeps, accountId: string): Promise<CheckedForLive[]> {
  const scope = { accountId, environment: "live" } as const;
  const { tillEnvironment, country, timeZone } = await deps.shop.get(accountId);
  const { currency } = await getWalletUnit(deps.db, accountId);
  const fault = await queryGateway(deps, scope);
  const onTheWay =
    tillEnvironment === "live"
      ? []
      : [
          ...(await checkCatalogRead(deps, scope)),
          ...(await checkTimeZone(deps, accountId)),
          ...(await checkPaper(deps, accountId)),
          await checkFirstSale(deps, scope),
        ];
  const all = [
    await checkShifts(deps.db, { accountId, environment: tillEnvironment }),
    ...(await checkGateway(deps, scope, { fault, currency })),
    ...(await checkCatalog(deps, scope, country)),
    ...(await checkRate(deps, accountId)),
    ...(await checkWallet(deps, scope, timeZone)),
    ...(await checkAlerts(deps, scope)),
    ...(await checkPeople(deps, accountId)),
    ...(await checkSafety(deps, accountId)),
    await checkQueue(deps, scope),
    ...(await checkPractice(deps, accountId)),
    ...(await checkIntegrators(deps, accountId)),
    ...onTheWay,
  ].toSorted((one, other) => orderOf(one) - orderOf(other));
  return [...all.filter(({ stops }) => stops), ...all.filter(({ stops }) => !stops)];
}

function orderOf({ check }: CheckedForLive): number {
  return GOING_LIVE_CHECKS.indexOf(check);
}
