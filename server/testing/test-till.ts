import { randomUUID } from "node:crypto";
import { OWN_PIN_HEADER } from "../contract/pos/operation.ts";
import { readNeeds } from "../contract/pos/rights.ts";
import type { SaleLineInput } from "../contract/pos/sale-lines.ts";
import type { SetupInput } from "../contract/pos/setup.ts";
import type { TenderInput } from "../contract/pos/tenders.ts";
import { keepGivenPins, writerOf } from "./direct-writes.ts";
import type { Answer, TestGateway } from "./test-gateway.ts";

export const OWNER_PIN = "471183";

/**
 * A line of a sale in a test. `prepareSale` generates missing ids, and fills in the quoted price.
 */
export type TestLine = Partial<SaleLineInput> & Pick<SaleLineInput, "offerId">;

export interface TestTill {
  readonly cookie: string;
  readonly staffId: string;
  pos(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Signs in another person in a second session, and opens their shift by default. */
  signIn(staffId: string, pin: string, open?: { shift: boolean }): Promise<TestTill>;
  /**
   * Builds the body of a sale at today's prices.
   * @param tendered cash; default is the amount due
   */
  prepareSale(lines: TestLine[], tendered?: number): Promise<TestSale>;
  sell(lines: TestLine[], tendered?: number): Promise<Answer>;
}

export interface TestSale {
  saleId: string;
  lines: (TestLine & Pick<SaleLineInput, "productType" | "transactionId" | "price">)[];
  tenders: TenderInput[];
}

/** Sets up the shop over HTTP, signs its owner in and opens their shift with an empty drawer. */
export async function openTill(
  gateway: TestGateway,
  setup: Partial<SetupInput> = {},
): Promise<TestTill> {
  const till = await setUpTill(gateway, setup);
  await openShift(till);
  return till;
}

export async function setUpTill(
  gateway: TestGateway,
  setup: Partial<SetupInput> = {},
): Promise<TestTill> {
  const body = {
    shopName: "Corner Shop",
    currency: "USD",
    language: "en",
    ownerName: "Olga",
    ownerPin: OWNER_PIN,
    // Tests expect the provider's suggested prices.
    prices: "SUGGESTED",
    ...setup,
  };
  const answer = await gateway.call("POST", "/pos/setup", { body });
  // Disables the idle lock, because tests advance the clock by hours in one step.
  const { db } = gateway.gateway.context;
  await writerOf(db).updateTable("accounts").set({ idle_lock_minutes: 0 }).execute();
  return tillOf(gateway, answer, body.ownerPin);
}

function tillOf(gateway: TestGateway, answer: Answer, pin: string): TestTill {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  const cookie = cookieOf(answer);

  async function pos(method: string, path: string, body?: unknown): Promise<Answer> {
    const called = await gateway.call(method, `/pos${path}`, {
      headers: { cookie, [OWN_PIN_HEADER]: pin },
      ...(body !== undefined && { body }),
    });
    if (called.status === 200 && path.startsWith("/staff")) {
      await keepGivenPins(gateway.gateway.context.db);
    }
    return called;
  }

  async function priceOf(line: TestLine): Promise<number> {
    const { offerId, value } = line;
    const quote = await pos("POST", "/quotes", { offerId, ...(value && { value }) });
    return Number(quote.body.price);
  }

  async function prepareSale(lines: TestLine[], tendered?: number): Promise<TestSale> {
    const priced = [];
    for (const line of lines) {
      const price = line.price ?? (await priceOf(line));
      const { productType = "TOPUP", transactionId = randomUUID() } = line;
      priced.push({ ...line, productType, transactionId, price });
    }
    const due = priced.reduce((sum, { price, discount = 0 }) => sum + price - discount, 0);
    const tenders: TenderInput[] = [{ kind: "CASH", tendered: tendered ?? due }];
    return { saleId: randomUUID(), lines: priced, tenders };
  }

  return {
    cookie,
    staffId: answer.body.staff.staffId,
    pos,
    prepareSale,
    async sell(lines, tendered) {
      const sold = await pos("POST", "/sales", await prepareSale(lines, tendered));
      await gateway.settle();
      return sold;
    },
    async signIn(staffId, pin, open = { shift: true }) {
      const body = { staffId, pin };
      const till = tillOf(gateway, await gateway.call("POST", "/pos/session", { body }), pin);
      const { shift } = (await till.pos("GET", "/shifts/current")).body;
      if (open.shift && !shift) await openShift(till);
      return till;
    },
  };
}

export async function openShift(till: TestTill, float = 0): Promise<string> {
  const opened = await till.pos("POST", "/shifts", { shiftId: randomUUID(), float });
  if (opened.status !== 200) throw new Error(JSON.stringify(opened.body));
  return opened.body.shiftId;
}

export async function approveRefused(
  till: Pick<TestTill, "pos">,
  refusal: Answer,
  by: { staffId: string; pin: string; subject: string },
): Promise<string> {
  const approvalId = randomUUID();
  const { needs, requestDigest, facts } = refusal.body.fields;
  const input = { approvalId, ...by, rights: readNeeds(needs), requestDigest, facts };
  const answer = await till.pos("POST", "/approvals", input);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return approvalId;
}

export function cookieOf(answer: Answer): string {
  return answer.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
}
