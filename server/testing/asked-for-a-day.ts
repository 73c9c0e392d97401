import { DAY } from "../lib/clock.ts";
import { writerOf } from "./direct-writes.ts";
import type { TestGateway } from "./test-gateway.ts";

/**
 * Records that every provider has been queried for a whole day about each unfinished order, without
 * an answer.
 */
export async function markAskedForADay({ gateway }: TestGateway): Promise<void> {
  for (const table of ["purchases", "refunds"] as const) {
    await writerOf(gateway.context.db).updateTable(table).set({ unknown_for_ms: DAY }).execute();
  }
}
