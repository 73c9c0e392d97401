import { expect, it } from "vitest";
import { killMoves } from "../../../testing/killed-moves.ts";

it("a kill at each step of a move leaves the purchase with one provider and the books in order", async () => {
  // Two statements of a transaction have the same effect.
  const ends = await killMoves(2);
  // The first kills come before the refusal is stored, the later ones after the move.
  expect(new Set(ends)).toEqual(new Set(["FAILED", "DONE"]));
});
