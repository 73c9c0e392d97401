import { sql } from "kysely";
import { Problem } from "../../../contract/problem.ts";
import { EsimParams, type EsimPlan, EsimPlans } from "../../../contract/v1/esims.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import { jsonField } from "../../../db/engine-words.ts";
import { inSameScope, inScope } from "../../../db/scope-filters.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import { toTimestamp } from "../../../lib/clock.ts";
import { askInTime } from "../../../providers/ask-in-time.ts";
import { addDeviations } from "../../../providers/deviation-store.ts";
import type { EsimUsage, ProviderOf } from "../../../providers/provider.ts";
import type { Base, Module } from "../../module.ts";

type EsimDeps = Base & { providerOf: ProviderOf };

export function createEsimsModule(deps: EsimDeps) {
  const esims = new EsimService(deps);
  return {
    services: { esims },
    v1: (app) => registerEsimRoutes(app, esims),
  } satisfies Module;
}

/** Registers `/esim/{iccId}/plans` (rules#esim-plans). */
function registerEsimRoutes(app: App, esims: EsimService): void {
  app.get(
    "/esim/:iccId/plans",
    {
      schema: {
        operationId: "listEsimPlans",
        summary: "List the active and queued plans of an eSIM",
        tags: ["eSIM"],
        params: EsimParams,
        response: answers(EsimPlans),
      },
    },
    async (request) => {
      const { plans, firstInstalledAt } = await esims.getPlans(
        clientOf(request),
        request.params.iccId,
      );
      return {
        list: plans,
        total: plans.length,
        firstInstalledAt: firstInstalledAt === undefined ? "" : toTimestamp(firstInstalledAt),
      };
    },
  );
}

/** Approximate width; enough for a print of 25 mm or more (rules#esim-qr-code). */
const WIDTH_PX = 600;
/** Border in modules, which cameras need. */
const QUIET_ZONE = 4;

export async function drawQrCode(lpaCode: string): Promise<Buffer> {
  const { default: qrcode } = await import("qrcode");
  const options = { errorCorrectionLevel: "M" } as const;
  const { size } = qrcode.create(lpaCode, options).modules;
  // A whole number of pixels per module. A fixed image width would make modules unequal.
  const scale = Math.round(WIDTH_PX / (size + 2 * QUIET_ZONE));
  return qrcode.toBuffer(lpaCode, { ...options, type: "png", margin: QUIET_ZONE, scale });
}

export class EsimService {
  readonly #deps: EsimDeps;

  constructor(deps: EsimDeps) {
    this.#deps = deps;
  }

  /**
   * Queries the provider, because only the provider knows the remaining data (rules#esim-plans).
   * @throws Problem NOT_FOUND for an eSIM that was not bought in this account and environment,
   * SYSTEM_UNAVAILABLE if the provider does not answer or its answer cannot be read
   */
  async getPlans(
    scope: Scope,
    iccid: string,
  ): Promise<{ plans: EsimPlan[]; firstInstalledAt: number | undefined }> {
    const { decided, details } = await this.readUsage(scope, iccid);
    if (decided) return { plans: details, firstInstalledAt: decided.firstInstalledAt };
    throw new Problem(
      "SYSTEM_UNAVAILABLE",
      "The provider's answer about this eSIM cannot be read. Try again shortly.",
    );
  }

  /**
   * Returns the plans as the provider describes them, and facts that decide about a refund.
   * @throws Problem like `getPlans`, but not for an unreadable answer
   */
  async readUsage(scope: Scope, iccid: string): Promise<EsimUsage> {
    const { db, transactor, clock, providerOf } = this.#deps;
    const { accountId, environment } = scope;
    const esim = await findEsim(db, scope, iccid);
    const provider = await providerOf({ accountId, environment, providerId: esim?.providerId });
    if (!provider?.readEsim || !esim) {
      throw new Problem("NOT_FOUND", `There is no eSIM ${iccid}.`);
    }
    const readEsim = provider.readEsim.bind(provider);
    const usage = await askInTime(clock, (signal) => readEsim({ ...scope, iccid }, signal));
    const { deviations } = usage;
    if (deviations.length > 0) {
      const what = { operation: "PLANS", reference: iccid, provider: provider.name } as const;
      await transactor.transact(accountId, (tx) =>
        addDeviations(tx, { accountId, environment, ...what, at: clock.now() }, deviations),
      );
    }
    return usage;
  }

  /** @throws Problem NOT_FOUND if every purchase for the eSIM was refunded */
  async requireLeft(scope: Scope, iccid: string): Promise<void> {
    const { db } = this.#deps;
    const esim = await findEsim(db, scope, iccid);
    if (esim && (await isEsimGone(db, scope, esim))) {
      throw new Problem("NOT_FOUND", `The eSIM ${iccid} was refunded: it has no QR code any more.`);
    }
  }
}

interface NewEsim {
  iccid: string;
  transactionId: string;
}

interface Esim extends NewEsim {
  /** The provider that issued it; undefined for the first provider. */
  providerId: string | undefined;
}

/** Stores an eSIM in the transaction that completes its purchase. */
export async function recordEsim(
  tx: Tx,
  scope: Scope,
  esim: NewEsim & { at: number },
): Promise<void> {
  await tx
    .insertInto("esims")
    .values({
      account_id: scope.accountId,
      environment: scope.environment,
      iccid: esim.iccid,
      transaction_id: esim.transactionId,
      created_at: esim.at,
    })
    .onConflict((conflict) => conflict.columns(["account_id", "environment", "iccid"]).doNothing())
    .execute();
}

export async function findEsim(
  db: Db | Tx,
  scope: Scope,
  iccid: string,
): Promise<Esim | undefined> {
  const row = await db
    .selectFrom("esims as e")
    .innerJoin("purchases as p", inSameScope("p", "e", "transaction_id"))
    .select(["e.transaction_id", "p.provider_id"])
    .where(inScope(scope, "e"))
    .where("e.iccid", "=", iccid)
    .executeTakeFirst();
  if (!row) return undefined;
  return { iccid, transactionId: row.transaction_id, providerId: row.provider_id ?? undefined };
}

/**
 * Returns whether every purchase for the eSIM was or is being refunded. Failed refunds do not
 * count.
 */
export async function isEsimGone(db: Db | Tx, scope: Scope, esim: Esim): Promise<boolean> {
  const { iccid, transactionId } = esim;
  const { accountId, environment } = scope;
  // Checks the first purchase, which is found by its key, before searching for later purchases.
  if (!(await isRefunded(db, scope, transactionId))) return false;
  const { rows } = await sql`
    select 1 from transactions t join purchases p using (account_id, environment, transaction_id)
    where t.account_id = ${accountId} and t.environment = ${environment}
      and t.product_type = 'ESIM' and t.status = 'DONE'
      and ${jsonField("p.fulfilment_json", "esim", "iccid")} = ${iccid}
      and not exists (
        select 1 from refunds r
        where r.account_id = t.account_id and r.environment = t.environment
          and r.refunded_transaction_id = t.transaction_id and r.failed = 0
      )
    limit 1`.execute(db);
  return rows.length === 0;
}

async function isRefunded(db: Db | Tx, scope: Scope, transactionId: string): Promise<boolean> {
  const row = await db
    .selectFrom("refunds")
    .select("transaction_id")
    .where(inScope(scope))
    .where("refunded_transaction_id", "=", transactionId)
    .where("failed", "=", 0)
    .executeTakeFirst();
  return row !== undefined;
}
