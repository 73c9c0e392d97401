import type { Balance } from "../../../contract/v1/balance.ts";
import type { Scope } from "../../../db/changes.ts";
import { type Balances, toBalanceRecord } from "../../books/wallet/index.ts";
import type { RechargeService } from "../../office/recharges/index.ts";

export interface SandboxWalletDeps {
  accountId: string;
  wallet: { getBalances(scope: Scope): Promise<Balances> };
  recharges: Pick<RechargeService, "setTestWallet">;
}

/** The wallet of a sandbox, whose balance its owner and its key may set. */
export class SandboxWallet {
  readonly #deps: SandboxWalletDeps;

  constructor(deps: SandboxWalletDeps) {
    this.#deps = deps;
  }

  async read(): Promise<Balance> {
    return toBalanceRecord(await this.#deps.wallet.getBalances(this.#scope));
  }

  /** @param available spendable balance in minor units */
  async set(available: number): Promise<Balance> {
    return toBalanceRecord(await this.#deps.recharges.setTestWallet(this.#scope, available));
  }

  get #scope() {
    return { accountId: this.#deps.accountId, environment: "test" } as const;
  }
}
