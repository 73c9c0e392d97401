import { queryOptions } from "@tanstack/react-query";
import { rechargeOperations } from "../../../../server/contract/pos/recharges.ts";
import { supportOperations } from "../../../../server/contract/pos/support.ts";
import { tillEnvironmentOperations } from "../../../../server/contract/pos/till-environment.ts";
import {
  type GatewayVerdict,
  upstreamOperations,
} from "../../../../server/contract/pos/upstream.ts";
import {
  type WalletAlert,
  walletOfficeOperations,
} from "../../../../server/contract/pos/wallet-office.ts";
import { call, type InputOf } from "../../../lib/api-client.ts";
import { operationQuery } from "../../../lib/operation-query.ts";
import { confirmSeen } from "./going-live-queries.ts";

/** A provider may be slow, and a large catalog takes a while. */
const ASKING_TIMEOUT_MS = 60_000;
const CATALOG_TIMEOUT_MS = 300_000;
/** A fetch that began by itself ends by itself. */
const LOOK_AGAIN_MS = 10_000;

/** What changes with anything that is done about the provider. */
export const GATEWAY_ANSWERS = [
  upstreamOperations.get,
  upstreamOperations.getWaitingCatalog,
  tillEnvironmentOperations.get,
  tillEnvironmentOperations.check,
];

/** A provider's gateway as it is typed. */
export interface TypedGateway {
  readonly baseUrl: string;
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

/** @param typed without it, the one that is connected */
export function judgeGateway(typed?: TypedGateway): Promise<GatewayVerdict> {
  const body = typed ? { gateway: { ...typed } } : {};
  return call(upstreamOperations.judge, { body, timeoutMs: ASKING_TIMEOUT_MS });
}

/** The one that is connected; one that can be used says what is there now, too. */
export async function judgeConnected(): Promise<GatewayVerdict> {
  const verdict = await judgeGateway();
  if (verdict.usable) {
    await call(upstreamOperations.test, { timeoutMs: ASKING_TIMEOUT_MS });
  }
  return verdict;
}

/** Its catalog waits until it was read. */
export function connectGateway(typed: TypedGateway) {
  const body = { ...typed, approvesCatalog: true };
  return call(upstreamOperations.connect, { body, timeoutMs: ASKING_TIMEOUT_MS });
}

export function disconnectGateway() {
  return call(upstreamOperations.disconnect);
}

export function setApproval(approvesCatalog: boolean) {
  return call(upstreamOperations.change, { body: { approvesCatalog } });
}

export function fetchCatalog() {
  return call(upstreamOperations.fetchCatalog, { timeoutMs: CATALOG_TIMEOUT_MS });
}

/** Who takes it has read it: that is noted, too. */
export async function acceptCatalog(fetchedAt: string) {
  const body = { fetchedAt };
  await call(upstreamOperations.acceptCatalog, { body, timeoutMs: CATALOG_TIMEOUT_MS });
  await confirmSeen("SYNC_READ");
}

/** Minor units: the amount of the wallet's currency, what was paid for it of the shop's. */
export function rechargeLiveWallet(
  paidIn: Omit<InputOf<typeof rechargeOperations.recharge>["body"], "environment">,
) {
  return call(rechargeOperations.recharge, { body: { environment: "live", ...paidIn } });
}

/** Under what the live wallet is low. */
export function setLiveAlert(alert: WalletAlert) {
  return call(walletOfficeOperations.setAlert, { body: { environment: "live", ...alert } });
}

/** How other devices of the network reach this gateway. */
export function networkQuery() {
  return queryOptions(operationQuery(supportOperations.getNetwork));
}

/** @param baseUrl where the provider reaches this gateway */
export function openHook(baseUrl: string) {
  return call(upstreamOperations.openHook, { body: { baseUrl } });
}

export function setHookSecret(secret: string) {
  return call(upstreamOperations.setHookSecret, { body: { secret } });
}
