import type { Actor } from "../../contract/pos/actor.ts";
import type { SaleInput } from "../../contract/pos/sales.ts";
import { Problem } from "../../contract/problem.ts";
import { environmentChanged } from "../shop/index.ts";

/**
 * A sale that was begun in one environment, or in training, is sold there or nowhere.
 * @throws Problem ENVIRONMENT_CHANGED naming `environment` or `training`
 */
export function requireWhereItWasMade(seller: Actor, input: SaleInput): void {
  const { environment, training } = seller;
  if ((input.environment ?? environment) !== environment) throw environmentChanged(environment);
  if ((input.training ?? training) === training) return;
  throw new Problem(
    "ENVIRONMENT_CHANGED",
    training
      ? "You are training now: nothing was sold and nothing was charged."
      : "You are not training any more: nothing was sold and nothing was charged.",
    { training: `must be ${training}` },
  );
}
