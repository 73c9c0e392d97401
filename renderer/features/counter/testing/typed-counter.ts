/** The counter without a screen: real state machines, keys and controls, and a small catalog. */
import { FIRST_TENDERS } from "../../../../server/contract/pos/shop-tenders.ts";
import { type ExpectedInput, type KeyReport, readKey } from "../../../lib/key-meaning.ts";
import { fewestDigits } from "../../../lib/phone-format.ts";
import type { BillEvent } from "../families/bill/bill-state.ts";
import type { EsimEvent } from "../families/esim/esim-state.ts";
import type { DraftEvent } from "../families/index.ts";
import type { TopupEvent } from "../families/topup/topup-state.ts";
import type { VoucherEvent } from "../families/voucher/voucher-state.ts";
import { type LineItem, totalOf } from "../sale/attempt/line-item.ts";
import type { SaleEvent } from "../sale/basket/sale-state.ts";
import type { CurrentSale } from "../sale/basket/use-sale.ts";
import { saleControl } from "../sale/confirm/sale-control.ts";
import type { Held } from "../sale/held/use-held.ts";
import { countTender } from "../sale/tender/tender.ts";
import { expectedIn, type KeyPress, toPress } from "../shell/counter-keys.ts";
import {
  type CounterEvent,
  type CounterState,
  counterReducer,
  INITIAL_COUNTER,
} from "../shell/counter-state.ts";
import { NO_ROW } from "../shell/digit-row.ts";

import { type CounterActions, pressKey } from "../shell/press-key.ts";
import type { Counter } from "../shell/use-counter.ts";
import { phone, topup as topupItem } from "./fixtures.ts";
import { BILL, brandOf, CARD, CARD_LINE, CARD_WITH_EMAIL, typedControl } from "./typed-families.ts";

export const FIELD = "field";

/** Steps in which a digit picks or is cash. */
export const PLACES = [
  "voucher brands",
  "voucher offers",
  "esim places",
  "esim plans",
  "billers",
  "bill services",
  "topup offers",
  "topup carriers",
  "topup countries",
  "confirm",
  "confirm of a basket",
] as const;

/** Steps with a text field other than the number's, in which keys write text. */
export const TEXT_PLACES = [
  "e-mail of a gift card",
  "account of a bill",
  "discount",
  "name of a held sale",
] as const;

export type TypedPlace = (typeof PLACES | typeof TEXT_PLACES)[number] | typeof FIELD;

interface Shop {
  readonly country: string;
  readonly currency: string;
  readonly divisor: number;
  /** In minor units. */
  readonly price: number;
}

interface Reported {
  readonly isMac?: boolean;
  readonly field?: ExpectedInput;
}

export class TypedCounter {
  state: CounterState = INITIAL_COUNTER;
  /** Typed cash of each paid sale; empty for the exact amount. */
  readonly paid: string[] = [];
  discounts = 0;
  readonly held: string[] = [];
  readonly chosen: string[] = [];
  readonly commands: string[] = [];
  readonly #shop: Shop;
  readonly #actions: CounterActions = {
    run: (command) => this.commands.push(command),
    proceeding: () => undefined,
  };
  #row = NO_ROW;
  #ids = 0;

  /** @param hasBasket puts two lines into the basket before the place is opened */
  constructor(place: TypedPlace, shop: Shop, { hasBasket = false } = {}) {
    this.#shop = shop;
    if (hasBasket) {
      this.#fillBasket();
    }
    this.#open(place);
  }

  /** Presses a key at `at` milliseconds, or repeats a held key. */
  press(key: string, at: number, isHeldDown = false): void {
    this.#act({ key, code: "", alt: false, ctrl: false, inField: false, at }, isHeldDown);
  }

  /**
   * Presses a key as a browser reports it, interpreted like the counter's own handler.
   * @param field input that the step's own field expects, if it has the focus
   */
  pressReported(report: KeyReport, at: number, { isMac = false, field }: Reported = {}): void {
    const { control } = this.#counter();
    const expected = field ?? expectedIn(control);
    const meaning = readKey(report, expected, isMac);
    const isAltCode = report.altKey && report.code.startsWith("Numpad");
    // The page handles these keys before the counter.
    if (meaning.kind !== "composing" && !isAltCode) {
      const { TOPUP } = this.state.drafts;
      const isInNumber = control.typing === "number" && TOPUP.digits + TOPUP.query !== "";
      this.#act(
        toPress(report, meaning, {
          inField: field !== undefined,
          isInText: field === "text" || isInNumber,
          at,
        }),
      );
    }
  }

  #fillBasket(): void {
    for (const item of [topupItem, CARD_LINE]) {
      this.#compose(item);
      this.#sale({ type: "line-kept" });
    }
  }

  #act(press: KeyPress, isHeldDown = false): void {
    const counter = this.#counter();
    const { confirming, entry } = this.state.sale;
    const { picksDigit } = counter.control;
    const place = {
      typing: counter.control.typing,
      ...(picksDigit && { picksDigit }),
      confirming,
      takesCash: confirming && !entry,
      hasEntry: entry !== undefined,
      hasTabs: false,
    };
    const opened = { step: place, counter, actions: this.#actions, isHeldDown };
    this.#row = pressKey(press, this.#row, opened).row;
  }

  nameHeldSale(text: string): void {
    this.#sale({ type: "entry-opened", entry: { kind: "hold", heldSaleId: "held", text } });
  }

  #dispatch(event: CounterEvent): void {
    this.state = counterReducer(this.state, event);
  }

  #sale(event: SaleEvent): void {
    this.#dispatch({ type: "sale", event });
  }

  #compose(item: LineItem): void {
    this.#ids += 1;
    const context = {
      saleId: "sale",
      transactionId: `line ${this.#ids}`,
      environment: "test",
      staffId: "ana",
      openedAt: 1,
    } as const;
    const { price, currency, divisor } = this.#shop;
    const unit = { priceCurrency: currency, priceCurrencyDivisor: divisor };
    this.#sale({ type: "composed", item: { ...item, price, ...unit }, context });
  }

  #open(place: TypedPlace): void {
    switch (place) {
      case FIELD:
        return;
      case "voucher brands":
        return this.#dispatch({ type: "family-picked", family: "VOUCHER" });
      case "voucher offers":
        this.#dispatch({ type: "family-picked", family: "VOUCHER" });
        return this.#voucher({ type: "brand-picked", brand: brandOf("3"), home: "GT" });
      case "esim places":
        return this.#dispatch({ type: "family-picked", family: "ESIM" });
      case "esim plans":
        this.#dispatch({ type: "family-picked", family: "ESIM" });
        return this.#esim({ type: "place-picked", place: {} as never });
      case "billers":
        return this.#dispatch({ type: "family-picked", family: "BILL_PAY" });
      case "bill services":
        this.#dispatch({ type: "family-picked", family: "BILL_PAY" });
        return this.#bill({ type: "biller-picked", biller: brandOf("3"), home: "GT" });
      case "topup offers":
        return this.#typeNumber();
      case "topup carriers":
        this.#typeNumber();
        return this.#topup({ type: "carrier-opened" });
      case "topup countries": {
        const choices = [phone, { ...phone, number: "+15125551234" }];
        this.#topup({ type: "number-typed", digits: "5125551234" });
        const asked = { ...phone, valid: false, choices } as never;
        this.#topup({ type: "phone-known", digits: "5125551234", phone: asked });
        return this.#topup({ type: "country-opened" });
      }
      case "confirm":
        this.#voucher({ type: "offer-picked", offer: CARD });
        return this.#compose(CARD_LINE);
      case "discount":
        this.#open("confirm");
        return this.#currentSale().openDiscount();
      case "name of a held sale":
        this.#open("confirm of a basket");
        return this.nameHeldSale("");
      case "e-mail of a gift card":
        this.#open("voucher offers");
        return this.#voucher({ type: "offer-picked", offer: CARD_WITH_EMAIL });
      case "account of a bill":
        this.#open("bill services");
        return this.#bill({ type: "service-picked", offer: BILL, isOnly: false });
      case "confirm of a basket":
        this.#compose(topupItem);
        this.#sale({ type: "line-kept" });
        return this.#sale({ type: "basket-opened" });
    }
  }

  #typeNumber(): void {
    this.#topup({ type: "number-typed", digits: "51234567" });
    this.#topup({ type: "phone-known", digits: "51234567", phone });
    this.#topup({ type: "number-entered" });
  }

  #topup(event: TopupEvent): void {
    this.#dispatch({ type: "draft", family: "TOPUP", event });
  }
  #voucher(event: VoucherEvent): void {
    this.#dispatch({ type: "draft", family: "VOUCHER", event });
  }
  #esim(event: EsimEvent): void {
    this.#dispatch({ type: "draft", family: "ESIM", event });
  }
  #bill(event: BillEvent): void {
    this.#dispatch({ type: "draft", family: "BILL_PAY", event });
  }

  #counter(): Counter {
    const { state } = this;
    const { sale, family } = state;
    const hold = () => this.held.push(sale.entry?.text ?? "");
    const open = () => this.commands.push("hold");
    const held = { isOpen: false, close: () => undefined, hold, open } as unknown as Held;
    const t = ((key: string) => key) as never;
    const words = { t, inShop: String, inShopShort: String, contents: String, country: String };
    const control =
      sale.confirming || sale.entry
        ? saleControl(this.#currentSale(), held, words)
        : typedControl(family, this.#composing(), words);
    return {
      state,
      control,
      sale: this.#currentSale(),
      held,
      fewestDigits: fewestDigits(this.#shop.country),
      isFromWords: false,
      beginScan: (text: string, before: CounterState) =>
        this.#dispatch({ type: "scanned", text, before }),
      beginNumber: (typed: { text: string; keepsItem: boolean }) =>
        this.#dispatch({ type: "number-begun", ...typed }),
      keepLine: () => this.#sale({ type: "line-kept" }),
      pickFamily: (picked: CounterState["family"]) =>
        this.#dispatch({ type: "family-picked", family: picked }),
      undo: () => this.#dispatch({ type: "undo" }),
      removeLine: (index: number) => {
        const line = sale.attempt?.lines[index];
        if (line) {
          this.#sale({ type: "line-removed", transactionId: line.transactionId });
        }
      },
      openOthers: () => this.commands.push("open-others"),
      openOwn: () => this.commands.push("open-own"),
    } as unknown as Counter;
  }

  #composing() {
    return {
      drafts: this.state.drafts,
      dispatch: (event: DraftEvent) => this.#dispatch(event),
      compose: (item: LineItem) => this.#compose(item),
      onChoice: (id: string) => this.chosen.push(id),
    };
  }

  #currentSale(): CurrentSale {
    const { sale } = this.state;
    const { currency, divisor } = this.#shop;
    const lines = sale.attempt?.lines ?? [];
    const total = totalOf(lines);
    const tendered =
      sale.attempt && countTender(sale.tender, { total, currency, divisor, cashStep: 0 });
    return {
      state: sale,
      dispatch: (event: SaleEvent) => this.#sale(event),
      till: { currency, currencyDivisor: divisor, tenders: FIRST_TENDERS },
      giveDiscount: () => this.discounts++,
      openDiscount: () => {
        const transactionId = lines[0]?.transactionId ?? "";
        this.#sale({
          type: "entry-opened",
          entry: { kind: "discount", transactionId, text: "" },
        });
      },
      lines,
      total,
      tendered,
      pay: () => {
        if (tendered?.isEnough) {
          this.paid.push(sale.tender.text);
        }
      },
    } as unknown as CurrentSale;
  }
}
