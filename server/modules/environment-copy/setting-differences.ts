import type { EnvironmentDifference } from "../../contract/pos/environment-copy.ts";
import { isOnlyOne } from "../../contract/pos/webhooks.ts";
import { listFavourites } from "../customers/index.ts";
import { getSettings } from "../settings/index.ts";
import { listScheduleRows } from "../shop-reports/index.ts";
import { findAlert } from "../wallet-office/index.ts";
import { listEndpoints, MOST_ENDPOINTS } from "../webhooks/index.ts";
import { pair, type Sides, toDifference } from "./difference.ts";

/** When the wallet is low, and whether what fails is sent again. */
export async function listSwitchedDifferences(sides: Sides): Promise<EnvironmentDifference[]> {
  const { db } = sides;
  const [from, to] = scopesOf(sides);
  const [ours, theirs] = [await findAlert(db, from), await findAlert(db, to)];
  const alert = pair(ours, theirs);
  const [mine, other] = [await getSettings(db, from), await getSettings(db, to)];
  const queueEnabled = pair(mine.queueEnabled, other.queueEnabled);
  return [
    ...(alert ? [toDifference("WALLET_ALERT", "", { alert })] : []),
    ...(queueEnabled ? [toDifference("SENDING_AGAIN", "", { queueEnabled })] : []),
  ];
}

/** Webhooks of this side whose address and kind the other side does not have. */
export async function listWebhookDifferences(sides: Sides): Promise<EnvironmentDifference[]> {
  const { db, accountId } = sides;
  const ours = await listEndpoints(db, { accountId, environment: sides.from });
  const theirs = await listEndpoints(db, { accountId, environment: sides.to });
  return ours.flatMap(({ endpointId, kind, url }) => {
    const alike = theirs.filter((endpoint) => endpoint.kind === kind);
    if (alike.some((endpoint) => endpoint.url === url)) return [];
    const full = alike.length >= MOST_ENDPOINTS ? ("NO_ROOM" as const) : undefined;
    const verified = kind === "TRANSACTION" && alike.length > 0;
    const taken = isOnlyOne(kind) && alike.length > 0 ? ("NO_ROOM" as const) : full;
    const blocked = verified ? ("VERIFIED_ALREADY" as const) : taken;
    return [toDifference("WEBHOOK", endpointId, { webhook: { kind, url } }, { blocked })];
  });
}

/** Reports that this side makes by itself, and the other does not make so. */
export async function listScheduleDifferences(sides: Sides): Promise<EnvironmentDifference[]> {
  const [from, to] = scopesOf(sides);
  const there = await listScheduleRows(sides.db, to);
  const theirs = new Map(there.map(({ scheduleId, input }) => [scheduleId, input]));
  return (await listScheduleRows(sides.db, from)).flatMap(({ scheduleId, input }) => {
    const schedule = pair(input, theirs.get(scheduleId));
    return schedule ? [toDifference("SCHEDULE", scheduleId, { schedule })] : [];
  });
}

/** Customers whose numbers this side keeps under a name, and the other does not. */
export async function listCustomerDifferences(sides: Sides): Promise<EnvironmentDifference[]> {
  const [from, to] = scopesOf(sides);
  const there = await listFavourites(sides.db, to);
  const theirs = new Map(there.map(({ number, name }) => [number, name]));
  return (await listFavourites(sides.db, from)).flatMap(({ number, name: ours }) => {
    const name = pair(ours, theirs.get(number));
    return name ? [toDifference("CUSTOMER", number, { number, name })] : [];
  });
}

function scopesOf({ accountId, from, to }: Sides) {
  return [
    { accountId, environment: from },
    { accountId, environment: to },
  ] as const;
}
