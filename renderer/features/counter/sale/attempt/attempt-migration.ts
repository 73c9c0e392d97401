/** An attempt as it was stored while a sale was one top-up for cash. */
interface EarlierAttempt {
  readonly saleId: string;
  readonly transactionId: string;
  readonly basket: object;
  readonly input?: { readonly lines: readonly object[]; readonly tender?: object };
}

/**
 * A stored attempt in today's shape. What was paid before the till was updated keeps its ids, so
 * that it is still sold once.
 */
export function fromEarlierShape(stored: unknown): unknown {
  if (!isEarlier(stored)) {
    return stored;
  }
  const { transactionId, basket, input, ...rest } = stored;
  return {
    ...rest,
    lines: [{ transactionId, item: { productType: "TOPUP", ...basket } }],
    openLine: transactionId,
    ...(input && { input: inputOfToday(input) }),
  };
}

function inputOfToday({ tender, lines, ...rest }: NonNullable<EarlierAttempt["input"]>): object {
  return {
    ...rest,
    lines: lines.map((line) => ({ productType: "TOPUP", ...line })),
    tenders: tender ? [tender] : [],
  };
}

function isEarlier(value: unknown): value is EarlierAttempt {
  return (
    typeof value === "object" &&
    value !== null &&
    "saleId" in value &&
    "transactionId" in value &&
    "basket" in value &&
    typeof value.basket === "object"
  );
}
