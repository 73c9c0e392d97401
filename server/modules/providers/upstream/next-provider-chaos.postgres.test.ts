import { expect, it } from "vitest";
import { sellDespiteKills } from "../../../testing/provider-chaos.ts";

it("each purchase on PostgreSQL is booked at exactly one provider although connections break and the server is killed", async () => {
  expect(await sellDespiteKills(4)).toBeGreaterThan(25);
}, 7_200_000);
