import type { Environment } from "../../../contract/common.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";

/** @throws Problem ENVIRONMENT_CHANGED if the shop sells in another environment */
export type RequireEnvironment = (tx: Tx, scope: Scope & { training: boolean }) => Promise<void>;

/**
 * Requires that the shop sells in this environment. Runs in the transaction of a sale or a new
 * shift, because the shop may have switched since the request was created.
 * @throws Problem ENVIRONMENT_CHANGED
 */
export async function requireTillEnvironment(
  tx: Tx,
  { accountId, environment, training }: Scope & { training: boolean },
): Promise<void> {
  if (training) return;
  const { till_environment } = await tx
    .selectFrom("shops")
    .select("till_environment")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  if (till_environment !== environment) throw environmentChanged(till_environment);
}

export function environmentChanged(environment: Environment): Problem {
  const now = environment === "live" ? "live, for real money" : "in the test environment";
  return new Problem(
    "ENVIRONMENT_CHANGED",
    `The shop sells ${now} by now: nothing was sold and nothing was charged.`,
    { environment: `must be ${environment}` },
  );
}
