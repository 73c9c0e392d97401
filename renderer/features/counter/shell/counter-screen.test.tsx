import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { counterOperations } from "../../../../server/contract/pos/counter-operations.ts";
import type { Family } from "../../../../server/contract/pos/families.ts";
import type { SaleCheckInput } from "../../../../server/contract/pos/sale-checks.ts";
import type { SaleInput } from "../../../../server/contract/pos/sales.ts";
import { startI18n } from "../../../lib/i18n.ts";
import { queryKeyOf } from "../../../lib/operation-query.ts";
import { FakeLocks } from "../../../lib/testing/fake-locks.ts";
import { listAttempts } from "../sale/attempt/attempt-store.ts";
import { CounterScreen } from "./counter-screen.tsx";
import { forgetDrafts } from "./draft-store.ts";

const tigo = { brand: "TIGO", brandName: "Tigo", brandColor: "#00377b" };
const gtq = { currency: "GTQ", currencyDivisor: 100 };
const earlier = {
  saleId: "4b7f3a5e-0000-4000-8000-000000000000",
  saleNumber: 1,
  outcome: "DELIVERED",
  soldAt: "2026-01-15T09:30:00.000Z",
  recipientPhoneNumber: "+50251234567",
  recipientFormatted: "+502 5123 4567",
  country: "GT",
  offerId: "T50",
  ...tigo,
  title: "50 GTQ",
  price: 5200,
  priceCurrency: "GTQ",
  priceCurrencyDivisor: 100,
};

/** What `GET /pos/recents` says. */
let soldBefore: Record<string, unknown>[] = [];
/** What `POST /pos/sales/check` says of every line, beside the price of its offer. */
let checked: Record<string, unknown> = {};

const ANSWERS: Readonly<Record<string, unknown>> = {
  "/pos/phone": {
    number: "+50251234567",
    formatted: "+502 5123 4567",
    valid: true,
    mobile: true,
    country: "GT",
    detected: tigo,
    brands: [tigo],
    earlier: [],
  },
  "/pos/offers": {
    list: [10, 50].map((amount) => ({
      productType: "TOPUP",
      offerId: `T${amount}`,
      ...tigo,
      country: "GT",
      title: `${amount} GTQ`,
      notes: "",
      subType: "Mobile Top Up",
      priceType: "FIXED",
      price: { ...gtq, fixed: amount * 104, fee: 0 },
      send: { ...gtq, fixed: amount * 100 },
    })),
    promos: [],
  },
};

/** Milliseconds from each key to the next: nobody looks at the screen between quick ones. */
let pace = 1000;
let pressedAt = 0;

/** Every sale that was sent, and how the gateway is to answer for the next one. */
let sent: SaleInput[] = [];
let answerSale: (input: SaleInput) => Response | Promise<Response> = delivered;
/** What became of it by the time it is asked for. */
let findSale: (input: SaleInput) => Response = delivered;

function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status });
}

function delivered(input: SaleInput): Response {
  return json(saleOf(input));
}

/** Its brand was paused when it was sold. */
function waiting(input: SaleInput): Response {
  const { lines, ...sale } = saleOf(input);
  const line = { ...lines[0], status: "PENDING", outcome: "STILL_SENDING" };
  return json({ ...sale, lines: [line] });
}

function saleOf(input: SaleInput) {
  const [line] = input.lines;
  return {
    saleId: input.saleId,
    saleNumber: 124,
    environment: "test",
    createdAt: new Date().toISOString(),
    staff: { staffId: "ana", name: "Ana" },
    ...gtq,
    total: line!.price,
    discount: 0,
    tenders: input.tenders.map((tender) => ({ ...tender, amount: line!.price })),
    change: 0,
    refundDue: 0,
    refundTenders: [],
    refunded: 0,
    receiptsPrinted: 0,
    lines: [
      {
        ...line,
        ...tigo,
        position: 1,
        country: "GT",
        title: "50 GTQ",
        recipientFormatted: "+502 5123 4567",
        send: 5000,
        sendCurrency: "GTQ",
        sendCurrencyDivisor: 100,
        status: "DONE",
        outcome: "DELIVERED",
        slowAfter: "2026-01-15T10:00:10.000Z",
        keepTryingUntil: "2026-01-16T10:00:00.000Z",
        finishedAt: "2026-01-15T10:00:01.000Z",
        confirmationNumber: "C-77",
      },
    ],
  };
}

function checkOf({ offerId }: SaleCheckInput["lines"][number]) {
  const amount = Number(offerId.slice(1));
  return {
    price: amount * 104,
    priceCurrency: "GTQ",
    priceCurrencyDivisor: 100,
    send: amount * 100,
    sendCurrency: "GTQ",
    sendCurrencyDivisor: 100,
    promos: [],
    ...checked,
  };
}

async function fetchStub(url: string, init?: RequestInit): Promise<Response> {
  const path = String(url).split("?")[0] ?? "";
  if (path === "/pos/sales/check") {
    const { lines } = JSON.parse(init?.body as string) as SaleCheckInput;
    return json({ lines: lines.map(checkOf) });
  }
  if (path === "/pos/sales") {
    const input = JSON.parse(init?.body as string) as SaleInput;
    sent.push(input);
    return answerSale(input);
  }
  if (path.startsWith("/pos/sales/") && sent[0]) {
    return findSale(sent[0]);
  }
  if (path === "/pos/held-sales") {
    return json({ list: [] });
  }
  if (path === "/pos/favourites") {
    return json({ list: [] });
  }
  if (path === "/pos/recents") {
    return json({ list: soldBefore });
  }
  return json(ANSWERS[path]);
}

function show(staffId = "ana", training = false) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const till = { staffId, environment: "test" as const, training, ...gtq, country: "GT" };
  const screenAt = (family: Family) => (
    <QueryClientProvider client={queryClient}>
      <MantineProvider>
        <CounterScreen
          till={till}
          family={family}
          onFamily={() => undefined}
          onWishTaken={() => undefined}
          onCustomerSide={() => undefined}
          onPrint={() => Promise.resolve()}
        />
      </MantineProvider>
    </QueryClientProvider>
  );
  const rendered = render(screenAt("TOPUP"));
  /** As when the address names another family. */
  const goTo = (family: Family) => rendered.rerender(screenAt(family));
  return { ...rendered, goTo, queryClient };
}

beforeAll(() => {
  startI18n("en");
  vi.stubGlobal("matchMedia", () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
});

beforeEach(() => {
  pace = 1000;
  vi.spyOn(Event.prototype, "timeStamp", "get").mockImplementation(() => {
    pressedAt += pace;
    return pressedAt;
  });
  sent = [];
  answerSale = delivered;
  findSale = delivered;
  soldBefore = [earlier];
  checked = {};
  localStorage.clear();
  forgetDrafts();
  vi.stubGlobal("fetch", vi.fn(fetchStub));
});

describe("counter", () => {
  it("sells a new top-up with the digits and three keys", async () => {
    const user = userEvent.setup();
    show();
    await user.keyboard("50251234567");
    await user.keyboard("{Enter}");
    await screen.findByRole("button", { name: /Q\s50/ });
    await user.keyboard("2");
    expect(await screen.findByText("Is everything right?")).toBeDefined();
    await user.keyboard("{Enter}");
    expect(await screen.findByText("Confirmation C-77")).toBeDefined();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.lines[0]).toMatchObject({ recipientPhoneNumber: "+50251234567", price: 5200 });
    expect(sent[0]?.tenders).toEqual([{ kind: "CASH", tendered: 5200 }]);
    expect(listAttempts()).toEqual([]);
  });

  it("sells again to a known number with three keys", async () => {
    const user = userEvent.setup();
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}{Enter}");
    expect(await screen.findByText("Confirmation C-77")).toBeDefined();
    expect(sent).toHaveLength(1);
  });

  it("names the line of a discount, and shows its price while it is typed and after", async () => {
    const user = userEvent.setup();
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByText("Is everything right?");
    await user.keyboard("d");
    await screen.findByText(/Discount on .*50/);
    await user.keyboard("2");
    const plain = (text: string | null) => (text ?? "").replaceAll(/[\s\u2066-\u2069]/g, " ");
    await screen.findByText((_, element) =>
      /Q ?52\.00 ?becomes ?Q ?50\.00/.test(
        element?.matches("p[id$=hint]") ? plain(element.textContent) : "",
      ),
    );
    await user.keyboard("{Enter}");
    await waitFor(() => expect(plain(document.body.textContent)).toMatch(/52\.00.{0,3} less/));
    expect(plain(screen.getByRole("main").textContent)).toContain("50.00");
  });

  it("stores the ids when the confirm step opens, and forgets them when it is undone", async () => {
    const user = userEvent.setup();
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByText("Is everything right?");
    expect(listAttempts()).toHaveLength(1);
    expect(sent).toHaveLength(0);
    await user.keyboard("{Escape}");
    expect(listAttempts()).toEqual([]);
  });

  it("sends an unanswered sale again with the same ids, and sells it once", async () => {
    answerSale = () => {
      answerSale = delivered;
      throw new TypeError("connection lost");
    };
    const user = userEvent.setup();
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}{Enter}{Enter}");
    expect(await screen.findByText("Confirmation C-77")).toBeDefined();
    expect(sent.length).toBeGreaterThan(1);
    expect(new Set(sent.map((input) => JSON.stringify(input))).size).toBe(1);
    await waitFor(() => expect(listAttempts()).toEqual([]));
  });

  it("says what a refusal means and stays where it can be put right", async () => {
    const fields = { upTo: "4900", currency: "GTQ", currencyDivisor: "100" };
    answerSale = () => json({ errorCode: "WALLET_SHORT", message: "", fields }, 409);
    const user = userEvent.setup();
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}{Enter}");
    const alert = await screen.findByRole("alert");
    expect(alert.textContent?.replaceAll(/\s/g, " ")).toContain("up to about Q 49 now");
    expect(screen.getByText("Is everything right?")).toBeDefined();
  });

  it("opens a confirm step again after a restart, with its ids", async () => {
    const user = userEvent.setup();
    const { unmount } = show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}");
    const [stored] = listAttempts();
    unmount();
    show();
    await screen.findByText("Is everything right?");
    await user.keyboard("{Enter}");
    await screen.findByText("Confirmation C-77");
    expect(sent.map(({ saleId }) => saleId)).toEqual([stored?.saleId]);
  });

  /** What is stored of the confirm step that is open, as if it were open in another window. */
  function moveToWindow(windowId: string) {
    const [open] = listAttempts();
    const stored = JSON.stringify({ ...open, windowId });
    localStorage.setItem(`tillgate.attempt.${open?.saleId}`, stored);
  }

  async function openConfirmStep() {
    const user = userEvent.setup();
    const shown = show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByText("Is everything right?");
    return shown;
  }

  it("leaves what is open in another window to it, and takes it up when that is gone", async () => {
    const locks = new FakeLocks();
    Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
    locks.hold("tillgate.window.other");
    const other = await openConfirmStep();
    const [{ saleId } = { saleId: "" }] = listAttempts();
    other.unmount();
    moveToWindow("other");
    const mine = show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    expect(screen.queryByText("Is everything right?")).toBeNull();
    mine.unmount();
    locks.letGo();
    show();
    await screen.findByText("Is everything right?");
    await userEvent.setup().keyboard("{Enter}");
    await screen.findByText("Confirmation C-77");
    expect(sent.map((input) => input.saleId)).toEqual([saleId]);
    Reflect.deleteProperty(navigator, "locks");
  });

  it("takes a basket neither into training nor back, in a shop of the test environment", async () => {
    const selling = await openConfirmStep();
    const [{ saleId } = { saleId: "" }] = listAttempts();
    selling.unmount();
    const user = userEvent.setup();
    const training = show("ana", true);
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    expect(screen.queryByText("Is everything right?")).toBeNull();
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByText("Is everything right?");
    training.unmount();
    show();
    await screen.findByText("Is everything right?");
    expect(listAttempts().map((attempt) => attempt.saleId)).toEqual([saleId]);
  });

  it("sends a paid sale of a window that is gone, and only of one", async () => {
    answerSale = () => {
      throw new TypeError("connection lost");
    };
    const locks = new FakeLocks();
    Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
    locks.hold("tillgate.window.third");
    const other = await openConfirmStep();
    await userEvent.setup().keyboard("{Enter}");
    await screen.findByText("Paid, waiting for the till");
    other.unmount();
    moveToWindow("third");
    sent = [];
    answerSale = delivered;
    const mine = show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    expect(sent).toEqual([]);
    mine.unmount();
    locks.letGo();
    show();
    await waitFor(() => expect(sent).toHaveLength(1));
    await waitFor(() => expect(listAttempts()).toEqual([]));
    Reflect.deleteProperty(navigator, "locks");
  });

  it("keeps what was typed for the same person, and shows it to nobody else", async () => {
    const typed = () => screen.getByRole<HTMLInputElement>("textbox").value.replaceAll(/\D/g, "");
    const user = userEvent.setup();
    const hers = show();
    await user.keyboard("5025123");
    hers.unmount();
    const his = show("ben");
    expect(typed()).toBe("");
    his.unmount();
    show();
    expect(typed()).toBe("5025123");
  });

  it("keeps a confirm step open for the same person while another one sells", async () => {
    const user = userEvent.setup();
    const hers = show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByText("Is everything right?");
    hers.unmount();
    const his = show("ben");
    expect(screen.queryByText("Is everything right?")).toBeNull();
    his.unmount();
    show();
    await screen.findByText("Is everything right?");
  });
});

/** The recent sale opened again, as ↓ and Enter do. */
async function openAgain(changes: { soldAt?: string; outcome?: string }) {
  const { saleId, soldAt, outcome } = { ...earlier, ...changes };
  const isRecent = Date.now() - Date.parse(soldAt) < 600_000;
  const sale = { saleId, saleNumber: 5, soldAt, outcome, clerk: "Ana" };
  soldBefore = [{ ...earlier, ...sale }];
  checked =
    isRecent || outcome !== "DELIVERED"
      ? { earlier: { ...sale, same: isRecent, recipientFormatted: "+502 5123 4567" } }
      : {};
  const user = userEvent.setup();
  show();
  await screen.findByRole("button", { name: /\+502 5123 4567/ });
  await user.keyboard("{ArrowDown}{Enter}");
  await screen.findByText("Is everything right?");
  return user;
}

function minutesAgo(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}

describe("a number that was sold to before", () => {
  it.each(["SENDING", "STILL_SENDING"])(
    "is not sold again with Enter while %s",
    async (outcome) => {
      const user = await openAgain({ outcome, soldAt: minutesAgo(300) });
      const words =
        "A top-up to this number is still being sent (sale 5). Keep the money; do not sell it again.";
      expect((await screen.findByRole("alert")).textContent).toBe(words);
      await user.keyboard("{Enter}{Enter}{Enter}");
      expect(sent).toEqual([]);
      expect(screen.getByText("Is everything right?")).toBeDefined();
      expect(screen.getByRole("button", { name: /Sell it a second time anyway/ })).toBeDefined();
      await user.keyboard("{F8}");
      expect(await screen.findByText("Confirmation C-77")).toBeDefined();
      expect(sent).toHaveLength(1);
    },
  );

  it("asks first when the same was delivered a moment ago", async () => {
    const user = await openAgain({ soldAt: minutesAgo(3) });
    expect((await screen.findByRole("alert")).textContent).toContain(", sale 5)");
    await user.keyboard("{Enter}{Enter}");
    expect(sent).toEqual([]);
    await user.click(screen.getByRole("button", { name: /Sell it again/ }));
    await waitFor(() => expect(sent).toHaveLength(1));
  });

  it("is sold again with Enter when nothing was delivered", async () => {
    const user = await openAgain({ outcome: "NOT_DELIVERED", soldAt: minutesAgo(3) });
    expect((await screen.findByRole("note")).textContent).toMatch(
      /^Not delivered \(.+\), money given back\.$/,
    );
    expect(screen.queryByRole("button", { name: /Sell it/ })).toBeNull();
    await user.keyboard("{F8}");
    expect(sent).toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent).toHaveLength(1));
  });

  it("is not sold twice by Enters that come before the gateway has said anything", async () => {
    const user = await openAgain({});
    await user.keyboard("{Enter}");
    await screen.findByText("Confirmation C-77");
    const { saleId, outcome } = earlier;
    const sale = { saleId, saleNumber: 124, soldAt: minutesAgo(0), outcome, clerk: "Ana" };
    checked = { earlier: { ...sale, same: true, recipientFormatted: "+502 5123 4567" } };
    await user.keyboard("{ArrowDown}{Enter}{Enter}{Enter}{Enter}");
    expect(await screen.findByRole("button", { name: /Sell it again/ })).toBeDefined();
    expect(sent).toHaveLength(1);
  });

  it("is known from this till's own sales where no check is answered", async () => {
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) =>
      String(url) === "/pos/sales/check"
        ? Promise.reject(new TypeError("connection lost"))
        : fetchStub(url, init),
    );
    const user = userEvent.setup();
    show();
    const sellTen = async () => {
      await user.keyboard("50251234567{Enter}");
      await screen.findByRole("button", { name: /Q\s10/ });
      await user.keyboard("1");
      await screen.findByText("Is everything right?");
      await user.keyboard("{Enter}");
    };
    await sellTen();
    await screen.findByText("Confirmation C-77");
    await sellTen();
    expect(await screen.findByRole("button", { name: /Sell it again/ })).toBeDefined();
    expect(sent).toHaveLength(1);
    await user.keyboard("{F8}");
    await waitFor(() => expect(sent).toHaveLength(2));
  });

  it("is not sold to again while the first sale is unanswered", async () => {
    answerSale = () => {
      throw new TypeError("connection lost");
    };
    const user = await openAgain({});
    await user.keyboard("{Enter}");
    await screen.findByText("Paid, waiting for the till");
    await user.keyboard("{ArrowDown}{Enter}{Enter}");
    expect((await screen.findAllByRole("alert"))[0]?.textContent).toBe(
      "A top-up to this number is still being sent. Keep the money; do not sell it again.",
    );
    expect(new Set(sent.map(({ saleId }) => saleId)).size).toBe(1);
  });

  it("shows what became of it", async () => {
    soldBefore = [{ ...earlier, outcome: "NOT_DELIVERED" }];
    show();
    const row = await screen.findByRole("button", { name: /\+502 5123 4567/ });
    expect(row.textContent).toContain("Not delivered");
  });
});

describe("a brand whose provider is slow", () => {
  const NOTICE = /^Slow since .+\. Sales are queued, and sent when Tigo is back\.$/;
  let paused = true;

  beforeEach(() => {
    paused = true;
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) =>
      String(url).startsWith("/pos/phone") && paused
        ? Promise.resolve(
            json({
              ...(ANSWERS["/pos/phone"] as object),
              brands: [{ ...tigo, pausedSince: minutesAgo(5) }],
            }),
          )
        : fetchStub(url, init),
    );
  });

  it("is named at each step, and sold all the same", async () => {
    const user = userEvent.setup();
    show();
    await user.keyboard("50251234567");
    await screen.findByText(NOTICE);
    await user.keyboard("{Enter}");
    await screen.findByRole("button", { name: /Q\s50/ });
    expect(screen.getAllByText(NOTICE)).toHaveLength(1);
    await user.keyboard("2");
    await screen.findByText("Is everything right?");
    expect(screen.getAllByText(NOTICE)).toHaveLength(1);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent).toHaveLength(1));
  });

  it("is told of a sale that is opened again, until the pause ends", async () => {
    const user = userEvent.setup();
    const { queryClient } = show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByText(NOTICE);
    paused = false;
    await queryClient.invalidateQueries({ queryKey: queryKeyOf(counterOperations.describePhone) });
    await waitFor(() => expect(screen.queryByText(/Slow since/)).toBeNull());
  });

  it("leaves a sale that is worded as waiting, not as failed", async () => {
    answerSale = waiting;
    findSale = waiting;
    const user = userEvent.setup();
    show();
    await user.keyboard("50251234567{Enter}");
    await screen.findByRole("button", { name: /Q\s50/ });
    await user.keyboard("2");
    await screen.findByText("Is everything right?");
    await user.keyboard("{Enter}");
    await screen.findByText(/^It is in the queue.+ Do not sell it again\. Keep the money\./);
  });
});

describe("after a reload", () => {
  it("shows the sale that was just made", async () => {
    const user = await openAgain({});
    await user.keyboard("{Enter}");
    await screen.findByText("Confirmation C-77");
    cleanup();
    show();
    expect(await screen.findByText("Confirmation C-77")).toBeDefined();
  });
});

describe("several lines in one sale", () => {
  it("are paid together, each with its own id, by card and cash", async () => {
    const user = await openAgain({ soldAt: minutesAgo(60) });
    await user.keyboard("+");
    await screen.findByRole("button", { name: /Go to payment: 1 item/ });
    await user.keyboard("50251234567{Enter}");
    await screen.findByRole("button", { name: /Q\s10/ });
    await user.keyboard("1");
    await screen.findByText("Is everything right?");
    expect(listAttempts()[0]?.lines).toHaveLength(2);
    await user.keyboard("40c");
    await screen.findByText("Card", { selector: "span" });
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.lines.map(({ offerId, price }) => [offerId, price])).toEqual([
      ["T50", 5200],
      ["T10", 1040],
    ]);
    expect(new Set(sent[0]?.lines.map(({ transactionId }) => transactionId)).size).toBe(2);
    expect(sent[0]?.tenders).toEqual([
      { kind: "CASH", tendered: 2240 },
      { kind: "CARD", amount: 4000 },
    ]);
  });

  it("asks before the same is sold twice in it", async () => {
    const user = await openAgain({ soldAt: minutesAgo(60) });
    await user.keyboard("+");
    await screen.findByRole("button", { name: /Go to payment/ });
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByText(/is in this sale twice/);
    await user.keyboard("{Enter}");
    expect(sent).toEqual([]);
    await user.keyboard("{Alt>}1{/Alt}");
    await waitFor(() => expect(screen.queryByText(/is in this sale twice/)).toBeNull());
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent[0]?.lines).toHaveLength(1));
  });
});

describe("a price that moves", () => {
  const NOTICE = /now costs Q\s54\.50 instead of Q\s52\.00\. Tell the customer, then continue\.$/;

  it("while money is taken is told beside the old one, and paid when Enter is pressed again", async () => {
    const user = await openAgain({ soldAt: minutesAgo(60) });
    await screen.findByRole("button", { name: /Take payment Q\s52\.00/ });
    checked = { price: 5450 };
    await user.keyboard("{Enter}");
    expect((await screen.findByRole("alert")).textContent).toMatch(NOTICE);
    expect(screen.getByText(/Q\s52\.00/, { selector: "del" })).toBeDefined();
    expect(sent).toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent[0]?.lines[0]?.price).toBe(5450));
  });
});

describe("a discount that is asked about", () => {
  /** One of Q 2, with the Enter that pays after it; `answer` lets the gateway answer. */
  async function payAfterDiscount() {
    const held = Promise.withResolvers<void>();
    vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
      if (String(url) === "/pos/sales/discounts") {
        await held.promise;
        return new Response(null, { status: 204 });
      }
      return fetchStub(url, init);
    });
    const user = userEvent.setup();
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByRole("button", { name: /Take payment Q\s52/ });
    await user.keyboard("d2{Enter}");
    await screen.findByRole("button", { name: /Take payment Q\s50/ });
    await user.keyboard("{Enter}");
    return { user, answer: held.resolve };
  }

  it("is paid by the Enter that was typed ahead", async () => {
    const { answer } = await payAfterDiscount();
    expect(sent).toEqual([]);
    answer();
    await waitFor(() => expect(sent[0]?.lines[0]).toMatchObject({ price: 5200, discount: 200 }));
  });

  it("is not, once the clerk has changed their mind", async () => {
    const { user, answer } = await payAfterDiscount();
    await user.keyboard("{Escape}{Enter}");
    await screen.findByRole("button", { name: /Take payment Q\s52/ });
    answer();
    await user.keyboard("60");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent[0]?.tenders).toEqual([{ kind: "CASH", tendered: 6000 }]));
  });
});

describe("while the money is being taken", () => {
  /** The confirm step with its Enter pressed; `answer` lets the gateway answer. */
  async function payInSuspense(answered: typeof answerSale = delivered) {
    const held = Promise.withResolvers<void>();
    answerSale = async (input) => {
      await held.promise;
      return answered(input);
    };
    const user = userEvent.setup();
    const shown = show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}");
    await screen.findByRole("button", { name: /Take payment/ });
    await user.keyboard("{Enter}");
    await waitFor(() => expect(sent).toHaveLength(1));
    return { ...shown, user, answer: held.resolve };
  }

  const typed = () => screen.getByRole<HTMLInputElement>("textbox").value.replaceAll(/\D/g, "");

  it("the next customer's number may be typed, and a second Enter does nothing", async () => {
    const { user, answer } = await payInSuspense();
    await user.keyboard("{Enter}5025987{Backspace}8");
    answer();
    await screen.findByText("Confirmation C-77");
    await waitFor(() => expect(typed()).toBe("5025988"));
    expect(sent).toHaveLength(1);
  });

  it("a key of a family opens it afterwards", async () => {
    const { user, answer } = await payInSuspense();
    await user.keyboard("{F2}");
    answer();
    await screen.findByText("Confirmation C-77");
    await screen.findByRole("main", { name: "Gift cards" });
  });

  it("a family that is opened elsewhere is shown afterwards", async () => {
    const { goTo, answer } = await payInSuspense();
    goTo("VOUCHER");
    answer();
    await screen.findByText("Confirmation C-77");
    await screen.findByRole("main", { name: "Gift cards" });
  });

  it("what was typed is forgotten when it is refused", async () => {
    const refused = () => json({ errorCode: "WALLET_SHORT", message: "", fields: {} }, 409);
    const { user, goTo, answer } = await payInSuspense(refused);
    await user.keyboard("50{Enter}");
    goTo("VOUCHER");
    answer();
    await screen.findByRole("alert");
    expect(screen.getByText("Is everything right?")).toBeDefined();
    expect(typed()).toBe("");
    expect(sent).toHaveLength(1);
  });
});

describe("cash", () => {
  it("is not what nobody hands over", async () => {
    const user = await openAgain({});
    await user.keyboard("9999999");
    expect(await screen.findByText("That is not cash:")).toBeDefined();
    await user.keyboard("{Enter}");
    expect(sent).toEqual([]);
  });

  it("is not what a phone number says: its item waits in the basket, and the number is typed", async () => {
    const user = await openAgain({});
    await user.keyboard("50241234567");
    await screen.findByRole("button", { name: /Remove Tigo/ });
    const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Phone number" });
    expect(field.value.replaceAll(/\D/g, "")).toBe("50241234567");
    expect(document.activeElement).toBe(field);
    expect(sent).toEqual([]);
  });
});

describe("keys while something else has the focus", () => {
  it("are none of the counter's on a button, and act again from its field", async () => {
    const user = await openAgain({});
    screen.getByRole("button", { name: "Back" }).focus();
    await user.keyboard("c5+");
    expect(screen.queryByText("Card", { selector: "span" })).toBeNull();
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: /Cash/ }).value).toBe("");
    expect(listAttempts()[0]?.openLine).toBeDefined();
    screen.getByRole("textbox", { name: /Cash/ }).focus();
    await user.keyboard("c");
    await screen.findByText("Card", { selector: "span" });
  });

  it("say what is missing, with Enter on an empty field or a short number", async () => {
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) =>
      String(url).startsWith("/pos/phone")
        ? Promise.resolve(
            json({
              ...(ANSWERS["/pos/phone"] as object),
              number: "+5021",
              valid: false,
              brands: [],
            }),
          )
        : fetchStub(url, init),
    );
    const user = userEvent.setup();
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{Enter}");
    await screen.findByText("Type the number first");
    await user.keyboard("5021");
    expect(screen.queryByText("Type the number first")).toBeNull();
    await screen.findByText("Digits are missing");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.getAllByText("Digits are missing")).toHaveLength(2));
  });

  it("move the focus with the arrows, and take it back to the field with a digit", async () => {
    const user = userEvent.setup();
    show();
    const row = await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}");
    expect(document.activeElement).toBe(row);
    await user.keyboard("5");
    const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Phone number" });
    expect([document.activeElement, field.value]).toEqual([field, "5"]);
    await user.clear(field);
    await user.keyboard("50251234567{Enter}");
    const [tile] = await screen.findAllByRole("button", { name: /Q\s10/ });
    expect(document.activeElement?.tagName).toBe("MAIN");
    await user.keyboard("{ArrowDown}");
    expect(document.activeElement).toBe(tile);
    await user.keyboard("{Enter}");
    await screen.findByText("Is everything right?");
  });
});

describe("a number that is typed quickly where a digit chooses", () => {
  it("is typed into the number, whole, and leaves nothing stored", async () => {
    const user = userEvent.setup();
    const offers = async () => {
      await user.keyboard("50251234567{Enter}");
      await screen.findByRole("button", { name: /Q\s10/ });
    };
    show();
    await offers();
    pace = 60;
    await user.keyboard("2100006");
    const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Phone number" });
    expect(field.value.replaceAll(/\D/g, "")).toBe("2100006");
    expect(listAttempts()).toEqual([]);
    await user.keyboard("{Enter}{Enter}");
    expect(sent).toEqual([]);
  });

  it("is the next customer's, however soon it is typed after the money was taken", async () => {
    let answer = (_response: Response) => {};
    answerSale = () => new Promise((resolve) => (answer = resolve));
    const user = userEvent.setup();
    show();
    await screen.findByRole("button", { name: /\+502 5123 4567/ });
    await user.keyboard("{ArrowDown}{Enter}{Enter}");
    await waitFor(() => expect(sent).toHaveLength(1));
    pace = 60;
    await user.keyboard("51000060");
    answer(delivered(sent[0] as SaleInput));
    const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "Phone number" });
    await waitFor(() => expect(field.value.replaceAll(/\D/g, "")).toBe("51000060"));
    expect(sent).toHaveLength(1);
  });
});

describe("the number while it is typed", () => {
  it("is not judged by a gateway that does not answer", async () => {
    vi.stubGlobal("fetch", (url: string) =>
      String(url).startsWith("/pos/phone")
        ? Promise.reject(new TypeError("connection lost"))
        : fetchStub(url),
    );
    const user = userEvent.setup();
    show();
    await user.keyboard("50251234567");
    expect(
      await screen.findByText(/^The till is not answering; the number is checked/),
    ).toBeDefined();
    expect(screen.queryByText(/No such number|not sold here|missing/)).toBeNull();
  });

  it("is judged by an answer for exactly these digits only", async () => {
    vi.stubGlobal("fetch", (url: string) => {
      const digits = new URL(url, "http://till").searchParams.get("number");
      if (!String(url).startsWith("/pos/phone")) {
        return fetchStub(url);
      }
      return digits === "5021"
        ? Promise.resolve(json({ ...(ANSWERS["/pos/phone"] as object), valid: false, brands: [] }))
        : new Promise(() => undefined);
    });
    const user = userEvent.setup();
    show();
    await user.keyboard("5021");
    await screen.findByText(/Digits are missing/);
    await user.keyboard("2");
    expect(await screen.findByText("Checking the number…")).toBeDefined();
    expect(screen.queryByText(/Digits are missing|not sold here/)).toBeNull();
  });
});
