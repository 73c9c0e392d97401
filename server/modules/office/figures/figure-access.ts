import { Problem } from "../../../contract/problem.ts";
import type { SignedInActor } from "../../../http/app-types.ts";

/** @throws Problem FORBIDDEN in training, which has no figures (rules#training-apart) */
export function requireFiguresReader(actor: SignedInActor): SignedInActor {
  if (!actor.training) return actor;
  throw new Problem("FORBIDDEN", "Training has no figures. End the training first.", {
    training: "must be over",
  });
}
