import { Type } from "typebox";
import { FAMILY_FACTS } from "../../../contract/pos/families.ts";
import { GATEWAY_TESTS, type GatewayVerdict } from "../../../contract/pos/upstream.ts";
import { type Clock, MINUTE, SECOND } from "../../../lib/clock.ts";
import {
  callUpstream,
  type UpstreamConnection,
  UpstreamRefusal,
  UpstreamUnclear,
  UpstreamUnreached,
} from "../../../providers/upstream/upstream-call.ts";
import { isRecord, readBalance, readList } from "./stated-values.ts";

type GatewayTest = (typeof GATEWAY_TESTS)[number];
type Outcome = GatewayVerdict["tests"][number]["outcome"];

const TIMEOUT_MS = 20 * SECOND;
/** Maximum clock difference. Above it, each gateway regards signatures of the other as expired. */
const MAX_CLOCK_DIFFERENCE_MS = MINUTE;
const TEST_KEY_PREFIX = "test_";

export function isTestKey(key: string): boolean {
  return key.startsWith(TEST_KEY_PREFIX);
}

/**
 * Queries the balance and the time of a gateway. Without a Date header in the response, the clock
 * difference is undefined.
 */
export async function queryGateway(connection: UpstreamConnection, currency: string, clock: Clock) {
  let date: string | string[] | undefined;
  const stated: unknown = await callUpstream(
    connection,
    Type.Unknown(),
    {
      method: "GET",
      path: "/balance",
      timeout_ms: TIMEOUT_MS,
      onHeaders: (headers) => {
        date = headers.date;
      },
    },
    clock,
  );
  const theirs = Date.parse(String(date));
  // Rounded down like the Date header, which has whole seconds.
  const now = Math.floor(clock.now() / SECOND) * SECOND;
  const noted: string[] = [];
  const balance = readBalance(stated, currency, (what) => noted.push(what));
  return { balance, noted, clockDifference_ms: Number.isNaN(theirs) ? undefined : theirs - now };
}

export async function judgeGateway(
  connection: UpstreamConnection,
  currency: string,
  clock: Clock,
): Promise<GatewayVerdict> {
  const isEncrypted = connection.baseUrl.startsWith("https:");
  const outcomes: Partial<Record<GatewayTest, Outcome>> = {
    ENCRYPTED: isEncrypted ? "GOOD" : "WARNS",
  };
  const facts: Partial<GatewayVerdict> = {};
  try {
    const { balance, noted, clockDifference_ms } = await queryGateway(connection, currency, clock);
    outcomes.ANSWERS = "GOOD";
    outcomes.KEY_ACCEPTED = "GOOD";
    // A private network may rehearse going live with a test key.
    const asTestKey = connection.allowPrivate ? "WARNS" : "BAD";
    outcomes.KEY_LIVE = isTestKey(connection.key) ? asTestKey : "GOOD";
    outcomes.CURRENCY_EQUAL = judgeCurrency(balance.currency, currency);
    if (balance.available === undefined) {
      outcomes.ANSWERS = "BAD";
      facts.message = `Its balance cannot be read: ${noted.join("; ")}.`;
    }
    outcomes.CLOCKS_EQUAL = judgeClocks(clockDifference_ms);
    outcomes.HAS_OFFERS = (await hasOffers(connection, clock)) ? "GOOD" : "BAD";
    if (balance.currency !== undefined) facts.theirCurrency = balance.currency;
    if (clockDifference_ms !== undefined) {
      facts.clockDifference_s = Math.round(clockDifference_ms / SECOND);
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    facts.message = error.message;
    const answered = error instanceof UpstreamRefusal && error.errorCode !== "NOT_FOUND";
    outcomes.ANSWERS = answered ? "GOOD" : "BAD";
    if (answered) outcomes.KEY_ACCEPTED = "BAD";
    if (error instanceof UpstreamUnreached) outcomes.ENCRYPTED = isEncrypted ? "UNKNOWN" : "WARNS";
  }
  const tests = GATEWAY_TESTS.map((test) => ({ test, outcome: outcomes[test] ?? "UNKNOWN" }));
  const usable = tests.every(({ outcome }) => outcome === "GOOD" || outcome === "WARNS");
  return { tests, usable, currency, ...facts };
}

/** Returns whether any family has offers. An unreadable family counts as empty. */
async function hasOffers(connection: UpstreamConnection, clock: Clock): Promise<boolean> {
  for (const { path } of Object.values(FAMILY_FACTS)) {
    const request = {
      method: "GET",
      path: `/${path}/offers?_limit=1&_offset=0`,
      timeout_ms: TIMEOUT_MS,
    } as const;
    const page: unknown = await callUpstream(connection, Type.Unknown(), request, clock).catch(
      (error: unknown) => {
        if (error instanceof UpstreamRefusal || error instanceof UpstreamUnclear) return undefined;
        throw error;
      },
    );
    if (isRecord(page) && readList(page.list).length > 0) return true;
  }
  return false;
}

/**
 * Compares the wallet's currency with ours. A gateway that states no currency only causes a
 * warning, because its offers state their currency.
 */
function judgeCurrency(theirs: string | undefined, ours: string): Outcome {
  if (theirs === undefined) return "WARNS";
  return theirs === ours ? "GOOD" : "BAD";
}

function judgeClocks(difference_ms: number | undefined): Outcome {
  if (difference_ms === undefined) return "WARNS";
  return Math.abs(difference_ms) <= MAX_CLOCK_DIFFERENCE_MS ? "GOOD" : "BAD";
}
