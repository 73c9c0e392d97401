import type { ProviderKindName } from "../contract/pos/upstream.ts";
import { GatewayKind } from "./gateway/gateway-kind.ts";
import type { ProviderKind } from "./kind.ts";
import type { LimitContext } from "./provider-limit.ts";
import { ReloadlyKind } from "./reloadly/reloadly-kind.ts";

/**
 * Creates the kinds of providers that a shop can connect. The simulator is not one of them: it is
 * always the provider of the test environment.
 */
export function createKinds(context: LimitContext): Record<ProviderKindName, ProviderKind> {
  return {
    gateway: new GatewayKind(context),
    reloadly: new ReloadlyKind(context),
  };
}
