import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createGateway } from "../index.ts";
import { systemClock } from "../lib/clock.ts";
import { createTestKeys, TEST_OVERRIDES, testConfig } from "./first-day.ts";
import { giveLiveCatalog } from "./live-catalog.ts";

export const SOLD = { offerId: "TIGO_GT_TOPUP_25", recipientPhoneNumber: "+50251234567" };
export const COST = 297;

const PROVIDER_KEY = "live_a-secret-of-the-provider-0123456789";
const TEST = { accountId: "default", environment: "test" } as const;
const LIVE = { accountId: "default", environment: "live", staffId: undefined } as const;
const FUNDS = 1_000_000_000;

interface Outside {
  provider: string;
  receiver: string;
}

/**
 * Creates a shop on PostgreSQL, and copies its key file for every process.
 * @param funds balance of the live wallet
 * @returns a key for live purchases
 */
export async function makeShopOfProcesses(
  database: string,
  [first = "", ...others]: readonly string[],
  { provider, receiver, funds = FUNDS }: Outside & { funds?: number | undefined },
): Promise<string> {
  mkdirSync(first, { mode: 0o700 });
  const gateway = await createGateway(testConfig(first, database), TEST_OVERRIDES);
  try {
    const { context } = gateway;
    await giveLiveCatalog({ gateway, clock: systemClock }, [SOLD.offerId]);
    await context.recharges.recharge(LIVE, funds);
    await context.recharges.setTestWallet(TEST, FUNDS);
    // Disables the idle lock, because the test runs longer without any input at a till.
    await context.settings.change({ accountId: "default" }, { idleLockMinutes: 0 });
    await context.upstream.connect(LIVE, {
      baseUrl: provider,
      key: PROVIDER_KEY,
      allowPrivate: true,
    });
    const hook = { environment: "live", kind: "TOPUP", allowPrivate: true } as const;
    await context.webhooks.add(LIVE, { ...hook, url: receiver });
    for (const dir of others) {
      mkdirSync(dir, { mode: 0o700 });
      copyFileSync(join(first, "secrets.key"), join(dir, "secrets.key"));
    }
    return (await createTestKeys(gateway)).live;
  } finally {
    await gateway.close();
  }
}
