const STORAGE_KEY = "tillgate.customer-refunds";

interface StoredCustomerRefund {
  readonly saleId: string;
  readonly customerRefundId: string;
  readonly lines: readonly string[];
}

/**
 * The id of the customer refund of these lines: the same however often it is tried, and another when it
 * goes another way.
 */
export function customerRefundIdOf(
  saleId: string,
  lines: readonly string[],
  newId: () => string,
): string {
  const stored = list().find(
    (one) => one.saleId === saleId && one.lines.join() === lines.join(),
  )?.customerRefundId;
  const customerRefundId = stored ?? newId();
  if (!stored) {
    write([...list(), { saleId, customerRefundId, lines }]);
  }
  return customerRefundId;
}

/** It is booked, or refused for good. */
export function forgetCustomerRefund(customerRefundId: string): void {
  write(list().filter((one) => one.customerRefundId !== customerRefundId));
}

function list(): readonly StoredCustomerRefund[] {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]") as unknown;
    return Array.isArray(stored) ? (stored as StoredCustomerRefund[]) : [];
  } catch {
    return [];
  }
}

function write(all: readonly StoredCustomerRefund[]): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(all));
}
