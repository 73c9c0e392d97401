import { queryOptions } from "@tanstack/react-query";
import { rechargeOperations } from "../../../../server/contract/pos/recharges.ts";
import { supportOperations } from "../../../../server/contract/pos/support.ts";
import { tillEnvironmentOperations } from "../../../../server/contract/pos/till-environment.ts";
import {
  type GatewayVerdict,
  type ProviderKindName,
  type UpstreamState,
  upstreamOperations,
} from "../../../../server/contract/pos/upstream.ts";
import {
  type WalletAlert,
  walletOfficeOperations,
} from "../../../../server/contract/pos/wallet-office.ts";
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
  tillEnvironmentOperations.get,
  tillEnvironmentOperations.check,
];

export interface TypedGateway {
  /** The provider to connect again; absent before the first connection. */
  readonly providerId?: string;
  readonly kind: ProviderKindName;
  readonly baseUrl: string;
  /** Absent for a kind without client ids. */
  readonly clientId?: string;
  readonly key: string;
  readonly allowPrivate: boolean;
}

export function gatewayQuery() {
  return queryOptions({
    ...operationQuery(upstreamOperations.get),
    staleTime: 0,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function waitingCatalogQuery() {
  return queryOptions({
    ...operationQuery(upstreamOperations.getWaitingCatalog),
    staleTime: 0,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

/** @param typed undefined to test the connected gateway */
export function judgeGateway(typed?: TypedGateway): Promise<GatewayVerdict> {
  const body = typed ? { gateway: omitProvider(typed) } : {};
  return call(upstreamOperations.judge, { body, timeoutMs: ASKING_TIMEOUT_MS });
}

function omitProvider({ providerId: _providerId, ...gateway }: TypedGateway) {
  return gateway;
}

/** Tests the connected gateway and, if it is usable, compares its balance with the wallet. */
export async function judgeConnected(): Promise<GatewayVerdict> {
  const verdict = await judgeGateway();
  if (verdict.usable) {
    await call(upstreamOperations.test, { timeoutMs: ASKING_TIMEOUT_MS });
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
  return call(upstreamOperations.disconnect, { query: providerId ? { providerId } : {} });
}

export function setApproval({
  providerId,
  approvesCatalog,
}: Pick<UpstreamState, "providerId" | "approvesCatalog">) {
  const body = { approvesCatalog, ...(providerId && { providerId }) };
  return call(upstreamOperations.change, { body });
}

export function fetchCatalog() {
  return call(upstreamOperations.fetchCatalog, { timeoutMs: CATALOG_TIMEOUT_MS });
}

/** Adopts the catalog, and records that the owner has read it. */
export async function acceptCatalog(fetchedAt: string) {
  const body = { fetchedAt };
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

export function setLiveAlert(alert: WalletAlert) {
  return call(walletOfficeOperations.setAlert, { body: { environment: "live", ...alert } });
}

/** Addresses at which the network's devices can reach this gateway. */
export function networkQuery() {
  return queryOptions(operationQuery(supportOperations.getNetwork));
}

/** @param baseUrl address at which the provider can reach this gateway */
export function openHook(baseUrl: string) {
  return call(upstreamOperations.openHook, { body: { baseUrl } });
}

export function setHookSecret(secret: string) {
  return call(upstreamOperations.setHookSecret, { body: { secret } });
}
