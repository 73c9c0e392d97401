import type { KeyScope } from "../contract/pos/keys.ts";
import { Problem } from "../contract/problem.ts";
import { type App, clientOf } from "./app-types.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Scope that a key needs for the operation. */
    scope?: KeyScope;
  }
}

/**
 * Scope of each operation of `/v1`. All operations on purchases need `sell`, because their answers
 * contain PINs and activation codes.
 */
const OPERATION_SCOPES: Readonly<Record<string, KeyScope>> = {
  getBalance: "read",
  listBrands: "read",
  getBrand: "read",
  getRedemptionInstructions: "read",
  listPromos: "read",
  getPromo: "read",
  lookUpPhoneNumber: "read",
  listTransactions: "read",
  getTransaction: "read",
  listTopupOffers: "read",
  getTopupOffer: "read",
  listTopupPurchases: "sell",
  createTopupPurchase: "sell",
  getTopupPurchase: "sell",
  listVoucherOffers: "read",
  getVoucherOffer: "read",
  listVoucherPurchases: "sell",
  createVoucherPurchase: "sell",
  getVoucherPurchase: "sell",
  listEsimOffers: "read",
  getEsimOffer: "read",
  listEsimPurchases: "sell",
  createEsimPurchase: "sell",
  getEsimPurchase: "sell",
  getEsimQrCode: "sell",
  createEsimRefund: "sell",
  getEsimRefund: "sell",
  listEsimPlans: "read",
  listBillPayOffers: "read",
  getBillPayOffer: "read",
  getBill: "sell",
  listBillPayPurchases: "sell",
  createBillPayPurchase: "sell",
  getBillPayPurchase: "sell",
  requestTransactionReport: "reports",
  getTransactionReport: "reports",
  downloadTransactionReport: "reports",
};

/** @returns undefined for an unknown operation */
export function scopeOfOperation(operationId: string): KeyScope | undefined {
  return Object.hasOwn(OPERATION_SCOPES, operationId) ? OPERATION_SCOPES[operationId] : undefined;
}

/**
 * Refuses operations whose scope the key lacks (rules#access-key-scopes). Must be called after the
 * rate limit is registered, which counts refused requests, and before the routes are registered.
 * @throws Error for a route without a scope, which is a bug
 */
export function requireScopes(app: App): void {
  app.addHook("onRoute", (route) => {
    const { operationId = "" } = (route.schema ?? {}) as { operationId?: string };
    const scope = scopeOfOperation(operationId);
    if (!scope) throw new Error(`${route.url} has no scope in operation-scopes.ts`);
    route.config = { ...route.config, scope };
  });
  app.addHook("preParsing", (request, _reply, payload, done) => {
    const { scope } = request.routeOptions.config;
    if (scope && !clientOf(request).scopes.includes(scope)) {
      const problem = `The API key lacks the scope ${scope}, which this operation requires.`;
      throw new Problem("FORBIDDEN", problem);
    }
    done(null, payload);
  });
}
