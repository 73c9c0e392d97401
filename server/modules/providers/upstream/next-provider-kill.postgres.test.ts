import { expect, it } from "vitest";
import { killMoves } from "../../../testing/killed-moves.ts";

it("a kill during a move on PostgreSQL leaves the purchase with one provider and the books in order", async () => {
  // Each write to a socket is a step, also those of requests.
  const ends = await killMoves(7);
  // The first kills come before the refusal is stored, the later ones after the move.
  expect(new Set(ends)).toEqual(new Set(["FAILED", "DONE"]));
}, 600_000);
