import { Problem } from "../../../contract/problem.ts";
import type { SignedInActor } from "../../../http/app-types.ts";

/**
 * Who asks for the shop's figures.
 * @throws Problem FORBIDDEN in training, which is in no figure and sees none (rules#training-apart)
 */
export function requireFiguresReader(actor: SignedInActor): SignedInActor {
  if (!actor.training) return actor;
  throw new Problem("FORBIDDEN", "Training has no figures. End the training first.", {
    training: "must be over",
  });
}
