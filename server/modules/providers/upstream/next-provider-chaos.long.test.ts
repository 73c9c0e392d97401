import { expect, it } from "vitest";
import { sellDespiteKills } from "../../../testing/provider-chaos.ts";

it("each purchase is booked at exactly one provider although connections break and the server is killed", async () => {
  expect(await sellDespiteKills(8)).toBeGreaterThan(50);
});
