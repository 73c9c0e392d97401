import { GATEWAY_TESTS, type GatewayVerdict } from "../../../contract/pos/upstream.ts";
import { MINUTE, SECOND } from "../../../lib/clock.ts";
import type { ProviderKind } from "../../../providers/kind.ts";
import {
  type ProviderConnection,
  ProviderRefusal,
  ProviderUnreached,
} from "../../../providers/provider-call.ts";

type GatewayTest = (typeof GATEWAY_TESTS)[number];
type Outcome = GatewayVerdict["tests"][number]["outcome"];

/** Maximum clock difference. Above it, each gateway regards signatures of the other as expired. */
const MAX_CLOCK_DIFFERENCE_MS = MINUTE;

export async function judgeGateway(
  connection: ProviderConnection & { kind: ProviderKind },
  currency: string,
): Promise<GatewayVerdict> {
  const { kind } = connection;
  const isEncrypted = connection.baseUrl.startsWith("https:");
  const outcomes: Partial<Record<GatewayTest, Outcome>> = {
    ENCRYPTED: isEncrypted ? "GOOD" : "WARNS",
  };
  const facts: Partial<GatewayVerdict> = {};
  try {
    const { balance, noted, clockDifference_ms } = await kind.queryBalance(connection, currency);
    outcomes.ANSWERS = "GOOD";
    outcomes.KEY_ACCEPTED = "GOOD";
    // A private network may rehearse going live with a test key.
    const asTestKey = connection.allowPrivate ? "WARNS" : "BAD";
    outcomes.KEY_LIVE = kind.isTest(connection) ? asTestKey : "GOOD";
    outcomes.CURRENCY_EQUAL = judgeCurrency(balance.currency, currency);
    if (balance.available === undefined) {
      outcomes.ANSWERS = "BAD";
      facts.message = `Its balance cannot be read: ${noted.join("; ")}.`;
    }
    outcomes.CLOCKS_EQUAL = judgeClocks(clockDifference_ms);
    outcomes.HAS_OFFERS = (await kind.hasOffers(connection)) ? "GOOD" : "BAD";
    if (balance.currency !== undefined) facts.theirCurrency = balance.currency;
    if (clockDifference_ms !== undefined) {
      facts.clockDifference_s = Math.round(clockDifference_ms / SECOND);
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    facts.message = error.message;
    const answered = error instanceof ProviderRefusal && error.errorCode !== "NOT_FOUND";
    outcomes.ANSWERS = answered ? "GOOD" : "BAD";
    if (answered) outcomes.KEY_ACCEPTED = "BAD";
    if (error instanceof ProviderUnreached) outcomes.ENCRYPTED = isEncrypted ? "UNKNOWN" : "WARNS";
  }
  const tests = GATEWAY_TESTS.map((test) => ({ test, outcome: outcomes[test] ?? "UNKNOWN" }));
  const usable = tests.every(({ outcome }) => outcome === "GOOD" || outcome === "WARNS");
  return { tests, usable, currency, ...facts };
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
