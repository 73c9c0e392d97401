import { providerOperations } from "../../../../server/contract/pos/providers.ts";
import { rechargeOperations } from "../../../../server/contract/pos/recharges.ts";
import { supportOperations } from "../../../../server/contract/pos/support.ts";
import { tillEnvironmentOperations } from "../../../../server/contract/pos/till-environment.ts";
import {
  type GatewayVerdict,
  type ProviderKindName,
  type UpstreamState,
  upstreamOperations,
} from "../../../../server/contract/pos/upstream.ts";
import { call, type InputOf } from "../../../lib/api-client.ts";
import { operationQuery } from "../../../lib/operation-query.ts";
import { confirmSeen } from "./going-live-queries.ts";

/** Long, because a provider may be slow and its catalog large. */
const ASKING_TIMEOUT_MS = 60_000;
const CATALOG_TIMEOUT_MS = 300_000;
/** Polling interval: the gateway fetches catalogs without an action of the owner. */
const LOOK_AGAIN_MS = 10_000;

/** Queries to invalidate after each action on the provider's connection. */
export const GATEWAY_ANSWERS = [
  upstreamOperations.get,
  upstreamOperations.getWaitingCatalog,
  providerOperations.list,
  providerOperations.getCosts,
  providerOperations.listUnclear,
  tillEnvironmentOperations.get,
  tillEnvironmentOperations.check,
];

export interface TypedGateway {
  /** The provider to connect again; absent before the first connection. */
  readonly providerId?: string;
  /** Name of a further provider, instead of `providerId`. */
  readonly newName?: string;
  readonly kind: ProviderKindName;
  readonly baseUrl: string;
  /** Absent for a kind without client ids. */
  readonly clientId?: string;
  readonly key: string;
  readonly allowPrivate: boolean;
}

/** @param providerId undefined for the first connected provider */
function askedOf(providerId: string | undefined) {
  return providerId === undefined ? {} : { query: { providerId } };
}

export function gatewayQuery(providerId?: string) {
  return {
    ...operationQuery(upstreamOperations.get, askedOf(providerId)),
    refetchInterval: LOOK_AGAIN_MS,
  };
}

export function waitingCatalogQuery(providerId?: string) {
  return {
    ...operationQuery(upstreamOperations.getWaitingCatalog, askedOf(providerId)),
    refetchInterval: LOOK_AGAIN_MS,
  };
}

export function judgeGateway(typed: TypedGateway): Promise<GatewayVerdict> {
  const { providerId: _providerId, newName: _newName, ...gateway } = typed;
  const body = { gateway };
  return call(upstreamOperations.judge, { body, timeoutMs: ASKING_TIMEOUT_MS });
}

/** Tests the connected gateway and, if it is usable, compares its balance with the wallet. */
export async function judgeConnected(providerId: string | undefined): Promise<GatewayVerdict> {
  const timeoutMs = ASKING_TIMEOUT_MS;
  const body = providerId === undefined ? {} : { providerId };
  const verdict = await call(upstreamOperations.judge, { body, timeoutMs });
  if (verdict.usable) {
    await call(upstreamOperations.test, { ...askedOf(providerId), timeoutMs });
  }
  return verdict;
}

/** Connects a gateway, whose catalog is used only after the owner's review. */
export function connectGateway(typed: TypedGateway) {
  const body = { ...typed, approvesCatalog: true };
  return call(upstreamOperations.connect, { body, timeoutMs: ASKING_TIMEOUT_MS });
}

/** @param providerId the provider that the person saw when the removal was opened */
export function disconnectGateway(providerId: string | undefined) {
  return call(upstreamOperations.disconnect, askedOf(providerId));
}

export function setApproval({
  providerId,
  approvesCatalog,
}: Pick<UpstreamState, "providerId" | "approvesCatalog">) {
  const body = { approvesCatalog, ...(providerId && { providerId }) };
  return call(upstreamOperations.change, { body });
}

export function fetchCatalog(providerId: string | undefined) {
  const timeoutMs = CATALOG_TIMEOUT_MS;
  return call(upstreamOperations.fetchCatalog, { ...askedOf(providerId), timeoutMs });
}

/** Adopts the catalog, and records that the owner has read it. */
export async function acceptCatalog(body: { fetchedAt: string; providerId?: string }) {
  await call(upstreamOperations.acceptCatalog, { body, timeoutMs: CATALOG_TIMEOUT_MS });
  await confirmSeen("SYNC_READ");
}

/**
 * `amount` is in minor units of the wallet's currency, `paid` in minor units of the shop's
 * currency.
 */
export function rechargeLiveWallet(
  paidIn: Omit<InputOf<typeof rechargeOperations.recharge>["body"], "environment">,
) {
  return call(rechargeOperations.recharge, { body: { environment: "live", ...paidIn } });
}

/** Addresses at which the network's devices can reach this gateway. */
export function networkQuery() {
  return operationQuery(supportOperations.getNetwork);
}

/** @param body.baseUrl address at which the provider can reach this gateway */
export function openHook(body: { baseUrl: string; providerId?: string }) {
  return call(upstreamOperations.openHook, { body });
}

export function setHookSecret(body: { secret: string; providerId?: string }) {
  return call(upstreamOperations.setHookSecret, { body });
}

/** The shop's providers, with figures that other people's sales change. */
export function providersQuery() {
  return { ...operationQuery(providerOperations.list), refetchInterval: LOOK_AGAIN_MS };
}

export function setProviderOrder(body: InputOf<typeof providerOperations.setOrder>["body"]) {
  return call(providerOperations.setOrder, { body });
}

export function joinBrands(body: InputOf<typeof providerOperations.joinBrands>["body"]) {
  return call(providerOperations.joinBrands, { body });
}

export function joinProducts(body: InputOf<typeof providerOperations.joinProducts>["body"]) {
  return call(providerOperations.joinProducts, { body });
}
