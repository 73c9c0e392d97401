import type { Pool } from "undici";

/** A top-up that the simulator delivers. */
export const OFFER = "TIGO_GT_TOPUP_25";

/**
 * Buys one top-up through `/v1`.
 * @param number unique number of the purchase
 * @returns response time in milliseconds
 */
export async function buyTopup(pool: Pool, key: string, number: number): Promise<number> {
  const began = performance.now();
  const answer = await pool.request({
    method: "POST",
    path: "/v1/topups/purchases",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      offerId: OFFER,
      transactionId: `bench-${number}`,
      recipientPhoneNumber: `+5025${String(1_000_000 + (number % 9_000) * 900).slice(0, 7)}`,
    }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${answer.statusCode} ${text}`);
  return performance.now() - began;
}
