import type { Environment } from "../../../contract/common.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Scope } from "../../../db/changes.ts";
import type { Tx } from "../../../db/database.ts";

/** Whether the shop sells there. @throws Problem ENVIRONMENT_CHANGED */
export type RequireEnvironment = (tx: Tx, scope: Scope & { training: boolean }) => Promise<void>;

/**
 * Checked in the transaction that sells or opens a shift: the shop may have begun to sell elsewhere
 * since the request came.
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

/** @param environment where the shop sells now */
export function environmentChanged(environment: Environment): Problem {
  const now = environment === "live" ? "live, for real money" : "in the test environment";
  return new Problem(
    "ENVIRONMENT_CHANGED",
    `The shop sells ${now} by now: nothing was sold and nothing was charged.`,
    { environment: `must be ${environment}` },
  );
}
