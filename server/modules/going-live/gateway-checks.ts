import type { CheckedForLive } from "../../contract/pos/till-environment.ts";
import { Problem } from "../../contract/problem.ts";
import type { Scope } from "../../db/changes.ts";
import { type Clock, HOUR, MINUTE, SECOND } from "../../lib/clock.ts";
import { SealError } from "../../lib/sealer.ts";
import type { UpstreamService } from "../upstream/index.ts";
import { stopping, warning } from "./checked.ts";

interface Deps {
  upstream: UpstreamService;
  clock: Clock;
}

/** An answer this recent is not queried again. */
const FRESH_MS = MINUTE;
const FARTHEST_CLOCKS_MS = MINUTE;

/** Why the gateway cannot be used now. */
interface GatewayFault {
  message: string;
  refused: boolean;
  /** It answers, and keeps its money in another currency. */
  theirCurrency: string | undefined;
}

/** @returns undefined where it answered, or none is connected */
export async function queryGateway(
  { upstream, clock }: Deps,
  scope: Scope,
): Promise<GatewayFault | undefined> {
  const { connected, stored } = await upstream.getStatus(scope);
  if (!connected) return undefined;
  const answeredAt = stored?.balance?.at;
  if (answeredAt !== undefined && Math.abs(clock.now() - answeredAt) < FRESH_MS) return undefined;
  try {
    await upstream.test(scope);
    return undefined;
  } catch (error) {
    if (error instanceof SealError) {
      return { message: error.message, refused: true, theirCurrency: undefined };
    }
    if (!(error instanceof Problem)) throw error;
    const refused = error.errorCode !== "SYSTEM_UNAVAILABLE";
    const theirCurrency = refused ? await findOtherCurrency(upstream, scope) : undefined;
    return { message: error.message, refused, theirCurrency };
  }
}

/** What its money is in, where that is why it was refused. */
async function findOtherCurrency(
  upstream: UpstreamService,
  scope: Scope,
): Promise<string | undefined> {
  const { tests, theirCurrency } = await upstream.judge(scope, undefined);
  const isOther = tests.some(({ test, outcome }) => test === "CURRENCY_EQUAL" && outcome === "BAD");
  return isOther ? theirCurrency : undefined;
}

export async function checkGateway(
  { upstream, clock }: Deps,
  scope: Scope,
  { fault, currency }: { fault: GatewayFault | undefined; currency: string },
): Promise<CheckedForLive[]> {
  const { connected, stored } = await upstream.getStatus(scope);
  if (!connected || !stored) return [stopping("GATEWAY_CONNECTED", false)];
  const url = stored.baseUrl;
  const age = stored.balance ? Math.abs(clock.now() - stored.balance.at) : Infinity;
  const theirs = fault?.theirCurrency;
  const answers = theirs !== undefined || (age <= HOUR && !fault?.refused);
  // In one's own network going live may be rehearsed; a provider's test key is taken for its live one.
  const checkKey = stored.allowPrivate ? warning : stopping;
  return [
    stopping("GATEWAY_CONNECTED", true, { url }),
    stopping("GATEWAY_ANSWERS", answers, { reason: fault?.message ?? "" }),
    ...(answers
      ? [
          stopping("GATEWAY_CURRENCY", theirs === undefined, {
            ours: currency,
            theirs: theirs ?? currency,
          }),
          checkClocks(stored.clockDifference_ms),
        ]
      : []),
    checkKey("GATEWAY_KEY_LIVE", !(await upstream.hasTestKey(scope))),
    warning("GATEWAY_ENCRYPTED", url.startsWith("https:"), { url }),
  ];
}

/** A gateway that does not say the time stops nobody. */
function checkClocks(difference_ms: number | undefined): CheckedForLive {
  if (difference_ms === undefined) return warning("CLOCKS_EQUAL", false, { seconds: "" });
  const seconds = Math.round(Math.abs(difference_ms) / SECOND);
  return stopping("CLOCKS_EQUAL", Math.abs(difference_ms) <= FARTHEST_CLOCKS_MS, { seconds });
}
