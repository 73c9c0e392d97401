import { DAY } from "../lib/clock.ts";
import { writerOf } from "./direct-writes.ts";
import type { TestGateway } from "./test-gateway.ts";

/** Marks each unfinished order as queried for a whole day without an answer from its provider. */
export async function markAskedForADay({ gateway }: TestGateway): Promise<void> {
  for (const table of ["purchases", "refunds"] as const) {
    await writerOf(gateway.context.db).updateTable(table).set({ unknown_for_ms: DAY }).execute();
  }
}
