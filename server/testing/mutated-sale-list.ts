/** Sales of the tests with a mutating upstream, each with its mutated responses. */
import type { Offer } from "../contract/v1/offers.ts";
import {
  describeMutation,
  listFieldMutations,
  type Mutation,
  mutateField,
  REFORMED,
} from "./mutating-proxy.ts";

export type Step = "SUBMIT" | "INQUIRE" | "PLANS" | "REFUND" | "BILL";

export interface Product {
  path: "topups" | "vouchers" | "esim" | "billpay";
  offer: Offer;
  /** Purchase body without transaction id. */
  body: Record<string, unknown>;
}

interface Change {
  step: Step;
  mutation: Mutation;
  /** Number of the mutated exchange within this step, from 1; default is all exchanges. */
  nth?: number;
}

export interface MutatedSale {
  transactionId: string;
  product: Product;
  changes: readonly Change[];
}

/**
 * Recorded honest responses, whose fields are mutated. The key is the product path and the step.
 */
export type Recorded = Map<string, unknown>;

const REFUSED = { errorCode: "OFFER_DISABLED", message: "It is not sold now.", fields: {} };
const MISSED = { errorCode: "NOT_FOUND", message: "There is no such purchase.", fields: {} };
const USED = { errorCode: "CONFLICT", message: "The id is used.", fields: {} };
const DUPLICATE = { ...USED, errorCode: "DUPLICATE_TRANSACTION_ID" };
const LATER = { errorCode: "RATE_LIMITED", message: "Later.", fields: {} };

/** Forwards the request to the upstream, and replaces the upstream's answer by this answer. */
function answered(status: number, body?: unknown, retryAfter?: string): Mutation {
  return { kind: "ANSWER", status, isForwarded: true, body, ...(retryAfter && { retryAfter }) };
}

const CUT: Mutation = { kind: "CUT" };
/** Answers of a lagging replica: without the purchase, or with an earlier state of it. */
const NOT_THERE = answered(404, MISSED);
const LAGGING: readonly Mutation[] = [
  NOT_THERE,
  ...["ACCEPTED", "PENDING", "IN_PROGRESS", "SENT_TO_CARRIER"].map(
    (state): Mutation => ({ kind: "STALE", state }),
  ),
];

const WAITS = [undefined, "1", "0", "soon"];
const BUSY = [
  ...[429, 503].flatMap((status) => WAITS.map((retryAfter) => ({ status, retryAfter }))),
  { status: 503, retryAfter: "100000" },
];

export const ANSWER_MUTATIONS: readonly Mutation[] = [
  { kind: "TRUNCATE" },
  CUT,
  ...REFORMED,
  ...BUSY.flatMap(({ status, retryAfter }) =>
    [true, false].map((isForwarded) => ({
      kind: "ANSWER" as const,
      status,
      isForwarded,
      ...(retryAfter !== undefined && { retryAfter }),
      body: LATER,
    })),
  ),
  answered(500),
  ...LAGGING,
];

/** Returns whether the shop then sends nothing to the upstream for a while. */
export function pausesConnection(mutation: Mutation): boolean {
  return mutation.kind === "ANSWER" && mutation.status === 429 && Number(mutation.retryAfter) >= 0;
}

/** Lists one sale for every mutation of every response. */
export function listSales(products: readonly Product[], recorded: Recorded): MutatedSale[] {
  const sales: MutatedSale[] = [];
  const add = (product: Product, step: Step, mutations: readonly Mutation[], ending = "") => {
    for (const mutation of mutations) {
      const transactionId = `sale-${sales.length}${ending}`;
      sales.push({ transactionId, product, changes: [{ step, mutation }] });
    }
  };
  for (const product of products) {
    for (const step of ["SUBMIT", "INQUIRE"] as const) {
      add(product, step, listFieldMutations(recorded.get(`${product.path} ${step}`)));
      add(product, step, ANSWER_MUTATIONS);
    }
    // Two more sales: the upstream reports the first as failed, and refuses the second at once.
    const failed = { code: "PROVIDER_REJECTED", description: "No.", message: "No." };
    const record = { ...(recorded.get(`${product.path} INQUIRE`) as object), error: failed };
    if (product.path === "esim") add(product, "INQUIRE", listFieldMutations(record), "-9002");
    const refusals = listFieldMutations(REFUSED).map((mutation) => ({
      kind: "ANSWER" as const,
      status: 400,
      isForwarded: false,
      body: mutateField(REFUSED, mutation),
    }));
    add(product, "SUBMIT", refusals);
    if (product.path !== "esim") continue;
    for (const step of ["PLANS", "REFUND"] as const) {
      add(product, step, listFieldMutations(recorded.get(`esim ${step}`)));
      add(product, step, ANSWER_MUTATIONS);
    }
  }
  return sales;
}

/** Answers to the first submission that leave the outcome unknown. */
const LOST: readonly Mutation[] = [CUT, { kind: "TRUNCATE" }, answered(500), answered(503)];
/**
 * Answers to the first inquiry. The second inquiry finds nothing, so the gateway resubmits the
 * purchase.
 */
const UNSURE: readonly Mutation[] = [...LAGGING, CUT, answered(500), answered(401, LATER)];
/** Answers to a resubmission. */
const REPEATED: readonly Mutation[] = [
  answered(409, USED),
  answered(400, DUPLICATE),
  answered(400, REFUSED),
  answered(400, { message: "No." }),
  answered(402, { errorCode: "INSUFFICIENT_FUNDS", message: "Short.", fields: {} }),
  answered(429, LATER, "1"),
  answered(503),
  CUT,
];

/**
 * Lists sales in which the submission's answer is lost, the first inquiries get a stale answer or
 * none, and the resubmission is refused.
 */
export function listSequences(products: readonly Product[]): MutatedSale[] {
  return products
    .flatMap((product) =>
      LOST.flatMap((lost) =>
        UNSURE.flatMap((unsure) =>
          REPEATED.map(
            (repeated): Omit<MutatedSale, "transactionId"> => ({
              product,
              changes: [
                { step: "SUBMIT", mutation: lost, nth: 1 },
                { step: "SUBMIT", mutation: repeated, nth: 2 },
                { step: "INQUIRE", mutation: unsure, nth: 1 },
                { step: "INQUIRE", mutation: NOT_THERE, nth: 2 },
              ],
            }),
          ),
        ),
      ),
    )
    .map((sale, index) => ({ ...sale, transactionId: `sequence-${index}` }));
}

export function describeSale({ product, changes, transactionId }: MutatedSale): string {
  const words = changes.map(({ step, mutation }) => `${step} ${describeMutation(mutation)}`);
  return `${product.path} ${words.join(", ")} (${transactionId})`;
}
