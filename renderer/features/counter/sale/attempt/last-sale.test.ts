import { describe, expect, it } from "vitest";
import { findRecentSale, rememberSale } from "./last-sale.ts";

const MINUTE_MS = 60_000;
const paidAt = Date.parse("2026-01-15T10:00:00.000Z");
const ana = {
  staffId: "ana",
  environment: "test" as const,
  training: false,
  day: { timeZone: "UTC", dayStartsAt: 0 },
};

describe("last-sale store", () => {
  it("returns the seller's last sale for 15 minutes", () => {
    rememberSale({ ...ana, saleId: "s1", paidAt });
    rememberSale({ ...ana, saleId: "s2", paidAt });
    expect(findRecentSale(ana, paidAt + 14 * MINUTE_MS)?.saleId).toBe("s2");
    expect(findRecentSale(ana, paidAt + 15 * MINUTE_MS)).toBeUndefined();
    expect(findRecentSale({ ...ana, staffId: "rosa" }, paidAt)).toBeUndefined();
    expect(findRecentSale({ ...ana, environment: "live" }, paidAt)).toBeUndefined();
    expect(findRecentSale({ ...ana, training: true }, paidAt)).toBeUndefined();
  });

  it("returns no sale of an earlier day", () => {
    const night = Date.parse("2026-01-15T23:55:00.000Z");
    rememberSale({ ...ana, saleId: "s1", paidAt: night });
    expect(findRecentSale(ana, night + 4 * MINUTE_MS)?.saleId).toBe("s1");
    expect(findRecentSale(ana, night + 6 * MINUTE_MS)).toBeUndefined();
  });

  it("returns no sale if the storage is unreadable", () => {
    localStorage.setItem("tillgate.last-sales", "{");
    expect(findRecentSale(ana, paidAt)).toBeUndefined();
  });
});
