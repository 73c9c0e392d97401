import { walletOfficeOperations } from "../../../contract/pos/wallet-office.ts";
import type { App } from "../../../http/app-types.ts";
import { sendCsv } from "../../../http/csv-file.ts";
import { handle } from "../../../http/pos-operations.ts";
import { requireFiguresReader } from "../figures/index.ts";
import type { RechargeService } from "../recharges/index.ts";
import type { StatementService } from "./statement-service.ts";
import type { WalletOfficeService } from "./wallet-office-service.ts";

interface Services {
  recharges: RechargeService;
  walletOffice: WalletOfficeService;
  statements: StatementService;
}

export function registerWalletOfficeRoutes(
  app: App,
  { recharges, walletOffice, statements }: Services,
): void {
  const operations = walletOfficeOperations;
  handle(app, operations.viewOverview, ({ actor }) =>
    walletOffice.view(requireFiguresReader(actor)),
  );
  handle(app, operations.listStatement, ({ actor, query }) =>
    statements.list(requireFiguresReader(actor), query),
  );
  handle(app, operations.exportStatement, async ({ actor, query, reply }) =>
    sendCsv(
      reply,
      `wallet-${query.firstDay}-${query.lastDay}`,
      statements.export(requireFiguresReader(actor), query),
    ),
  );
  handle(app, operations.setAlert, ({ actor, body }) => {
    const { environment, ...alert } = body;
    const { accountId, staffId } = actor;
    return walletOffice.setAlert({ accountId, staffId, environment }, alert);
  });
  handle(app, operations.setTestBalance, async ({ actor, body }) => {
    const { accountId, staffId } = actor;
    const author = { accountId, staffId, environment: "test" } as const;
    await recharges.setTestWallet(author, body.available);
    return walletOffice.view(author);
  });
}
