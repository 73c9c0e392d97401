import type { Base, Module } from "../../module.ts";
import { registerTransactionRoutes } from "./transaction-routes.ts";
import { TransactionService } from "./transaction-service.ts";

export function createTransactionsModule({ db }: Base) {
  const transactions = new TransactionService(db);
  return {
    services: { transactions },
    v1: (app) => registerTransactionRoutes(app, transactions),
  } satisfies Module;
}
