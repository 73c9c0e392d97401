import { type Clock, DAY, MINUTE } from "../../../../lib/clock.ts";
import type { ReachService } from "../../../shop/reach/index.ts";
import type { AlertSource, Finding } from "../alert-source.ts";

/** Firewalls are asked by commands of the system. */
const EVERY_MS = 5 * MINUTE;
/** A firewall whose rules cannot be seen is no news before other machines had a day to come in. */
const UNREACHED_AFTER_MS = DAY;

interface NetworkDeps {
  reach: ReachService;
  clock: Clock;
}

/** A firewall keeps other machines out of what the gateway opens to them, or seems to. */
export function createNetworkSource({ reach, clock }: NetworkDeps): AlertSource {
  return {
    kind: "NETWORK",
    every_ms: EVERY_MS,
    async find(): Promise<Finding[]> {
      const listeners = await reach.look();
      return listeners.flatMap(({ url, port, firewall }) => {
        if (!firewall || firewall.state === "OPEN") return [];
        const isBlocked = firewall.state === "BLOCKED";
        if (!isBlocked && clock.running() < UNREACHED_AFTER_MS) return [];
        const cause = isBlocked ? "PORT_BLOCKED" : "PORT_UNREACHED";
        const facts = { name: firewall.name, address: url, reference: firewall.command };
        const of = { environment: undefined, subject: String(port), level: "SOON" } as const;
        return [{ ...of, cause, mark: cause, facts }];
      });
    },
  };
}
