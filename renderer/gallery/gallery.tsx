/**
 * Every shared component in its states, for developers: `/gallery.html` of the development server,
 * in any theme and language. Builds of the till do not contain the gallery.
 */

import "@mantine/core/styles.css";
import "../theme/fonts.css";
import "../theme/global.css";
import "../theme/shared.css";
import "../theme/tokens.css";
import { Button, SegmentedControl, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { useTranslation } from "react-i18next";
import type { Sale } from "../../server/contract/pos/sales.ts";
import { createQueryClient, Providers } from "../app/providers.tsx";
import { ApprovalTrouble } from "../components/approval-trouble.tsx";
import { BillAmounts } from "../components/bill-amounts.tsx";
import { CustomerRefundAction } from "../components/customer-refund-action.tsx";
import { CustomerRefundButton } from "../components/customer-refund-button.tsx";
import { DeliveredDetails } from "../components/delivered-details.tsx";
import { Dialog } from "../components/dialog/dialog.tsx";
import { Flag } from "../components/flag.tsx";
import { ErrorNotice } from "../components/notice.tsx";
import { PinField } from "../components/pin-field.tsx";
import { PrintButton } from "../components/print-button.tsx";
import { QueryTrouble } from "../components/query-trouble.tsx";
import { ReceiptFrame, ReceiptItem, SumsOfSale } from "../components/receipt-frame.tsx";
import { ReceiptLanguage } from "../components/receipt-language.tsx";
import { MailForm, MessageForm } from "../components/receipt-sending-forms.tsx";
import { CashToGive, ResultHead, type ResultState } from "../components/result-head.tsx";
import { RevealDetails } from "../components/reveal-details.tsx";
import { SaleReceipt } from "../components/sale-receipt.tsx";
import { SendReceipt } from "../components/send-receipt.tsx";
import { SendReceiptButton } from "../components/send-receipt-button.tsx";
import { SentReceipts } from "../components/sent-receipts.tsx";
import { ThemeToggle } from "../components/theme-toggle.tsx";
import { WhatIsNewList } from "../components/what-is-new-list.tsx";
import { ApiError, UnreachableError } from "../lib/api-client.ts";
import { BrandFacesContext } from "../lib/brand-faces.ts";
import { errorWords } from "../lib/error-words.ts";
import {
  addLanguage,
  addOfficeWords,
  chooseLanguage,
  isLanguage,
  LANGUAGE_NAMES,
  startI18n,
} from "../lib/i18n.ts";
import { typeLetters } from "../lib/typing-by-touch.ts";
import { ShopCurrencyContext, useFormat } from "../lib/use-format.ts";
import { officeWordsIn } from "../locales/office-words.ts";
import { loadFonts } from "../theme/load-fonts.ts";
import {
  ButtonSheet,
  ColorSheet,
  FaceSheet,
  GlyphSheet,
  OfficeSheet,
  StateSheet,
  SurfaceSheet,
  TypeSheet,
} from "./component-sheets.tsx";
import classes from "./gallery.module.css";
import { Panel, Sheet } from "./gallery-sheet.tsx";
import { answerFromSamples, WAYS } from "./testing/sample-answers.ts";
import {
  aLine,
  anEsim,
  aSale,
  aVoucher,
  minutesAway,
  NOT_DELIVERED,
  SENDING,
  STILL_SENDING,
} from "./testing/sample-sales.ts";

const LANGUAGES = Object.entries(LANGUAGE_NAMES).map(([value, label]) => ({ value, label }));
const FACES = { factsOf: () => undefined, home: "GT" };

function Gallery() {
  const [language, setLanguage] = useState("en");
  return (
    <main className={classes.gallery} data-gallery>
      <header className={classes.head}>
        <h1>Tillgate</h1>
        <SegmentedControl
          aria-label="Language"
          data={LANGUAGES}
          value={language}
          onChange={(chosen) => {
            if (isLanguage(chosen)) {
              setLanguage(chosen);
              chooseLanguage(chosen);
            }
          }}
        />
        <ThemeToggle />
      </header>
      <ColorSheet />
      <TypeSheet />
      <ButtonSheet />
      <SurfaceSheet />
      <GlyphSheet />
      <FaceSheet />
      <StateSheet />
      <TroubleSheet />
      <DialogSheet />
      <SaleSheet />
      <ResultSheet />
      <DeliverySheet />
      <AfterSaleSheet />
      <SendingSheet />
      <OfficeSheet />
    </main>
  );
}

const root = document.getElementById("root");
if (!root) {
  throw new Error("gallery.html has no element with the id root");
}
// Loads all texts and fonts before the first paint, so that a change of language moves nothing.
await Promise.all([loadFonts(), ...Object.keys(LANGUAGE_NAMES).map(addLanguage)]);
await document.fonts.ready;
startI18n("en");
addOfficeWords(officeWordsIn);
answerFromSamples();
createRoot(root).render(
  <Providers queryClient={createQueryClient()}>
    <ShopCurrencyContext value="GTQ">
      <BrandFacesContext value={FACES}>
        <Gallery />
      </BrandFacesContext>
    </ShopCurrencyContext>
  </Providers>,
);

const SALES: readonly Sale[] = [
  aSale(121, [aLine()]),
  aSale(122, [SENDING]),
  aSale(123, [STILL_SENDING]),
  aSale(124, [NOT_DELIVERED, aVoucher({ details: "HIDDEN", voucher: undefined })]),
  aSale(125, [{ ...NOT_DELIVERED, refunded: true }], {
    refunded: 5_200,
    taxes: [{ percent: "12", amount: 557 }],
  }),
  aSale(126, [anEsim()]),
];
const HIDDEN = aSale(127, [aVoucher({ details: "HIDDEN", voucher: undefined })]);
const OWED = aSale(128, [NOT_DELIVERED]);
const PRINTED = aSale(129, [aLine()], { receiptsPrinted: 2 });
const NEW = aSale(130, [aLine()]);

function SaleSheet() {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Sheet name="Sales">
      {SALES.map((sale) => (
        <Panel key={sale.saleId}>
          <SaleReceipt sale={sale} />
        </Panel>
      ))}
      <Panel>
        <ReceiptFrame
          title={t("sale.total")}
          note={format.moment(NEW.createdAt)}
          sums={{ ...NEW, cashRounding: 5 }}
          result={{ state: "SENDING", note: t("sale.sendingHint") }}
        >
          <li>
            <ReceiptItem
              brand="tigo_gt"
              brandName="Tigo"
              brandColor="#00377b"
              country="GT"
              recipient="+502 5123 4567"
              title="Tigo 50 GTQ"
              price="Q 52.00"
            />
          </li>
        </ReceiptFrame>
      </Panel>
    </Sheet>
  );
}

const BILL = {
  send: 1_800,
  sendCurrency: "GTQ",
  sendCurrencyDivisor: 100,
  price: 2_183,
  priceFee: 383,
  priceCurrency: "GTQ",
  priceCurrencyDivisor: 100,
};

const STATES: readonly ResultState[] = [
  "SENDING",
  "UNANSWERED",
  "STILL_SENDING",
  "DELIVERED",
  "PARTLY_DELIVERED",
  "NOT_DELIVERED",
  "REFUSED",
];

function ResultSheet() {
  const { t } = useTranslation();
  return (
    <Sheet name="Results">
      {STATES.map((state) => (
        <Panel key={state}>
          <ResultHead
            state={state}
            note={t("sale.nothingCharged")}
            cash={
              <CashToGive
                label={t("sale.giveChange")}
                amount="Q 73.65"
                sum={t("sale.changeSum", { cash: "Q 100.00", due: "Q 26.35" })}
              />
            }
          />
        </Panel>
      ))}
      <Panel>
        <SumsOfSale sums={{ ...NEW, change: 2_400 }} />
      </Panel>
      <Panel>
        <BillAmounts bill={BILL} discount={50} beside={<del>Q 22.21</del>} />
      </Panel>
    </Sheet>
  );
}

function DeliverySheet() {
  return (
    <Sheet name="Delivered details">
      {[
        aVoucher(),
        anEsim(),
        anEsim({ iccid: "8944501234567890123" }),
        aVoucher({ details: "ERASED" }),
        aVoucher({ details: "UNREADABLE" }),
      ].map((line) => (
        <Panel key={line.transactionId}>
          <DeliveredDetails line={line} />
        </Panel>
      ))}
      <Panel>
        <RevealDetails sale={HIDDEN} revealed={undefined} onReveal={ignore} />
      </Panel>
      <Panel>
        <RevealDetails sale={HIDDEN} revealed={HIDDEN} onReveal={ignore} />
      </Panel>
    </Sheet>
  );
}

function AfterSaleSheet() {
  const format = useFormat();
  const money = (minor: number) => format.money(minor, "GTQ", 100);
  return (
    <Sheet name="After a sale">
      <Panel>
        <PrintButton sale={NEW} onPrint={() => Promise.resolve()} />
      </Panel>
      <Panel>
        <PrintButton sale={PRINTED} onPrint={() => Promise.reject(new Error("No paper"))} />
      </Panel>
      <Panel>
        <ReceiptLanguage saleId={NEW.saleId} />
      </Panel>
      <Panel>
        <CustomerRefundButton sale={OWED} hasKey={false} />
      </Panel>
      <Panel>
        <CustomerRefundAction amount={money(5_200)} hasKey money={money} onGive={ignore} />
      </Panel>
      <Panel>
        <CustomerRefundAction
          amount={money(5_200)}
          hasKey={false}
          money={money}
          ways={[
            { kind: "CASH", amount: 2_000 },
            { kind: "CARD", amount: 3_200 },
          ]}
          onGive={ignore}
          onGiveInCash={ignore}
        />
      </Panel>
      <Panel>
        <CustomerRefundAction
          amount={money(5_200)}
          hasKey={false}
          disabled
          money={money}
          onGive={ignore}
        />
      </Panel>
    </Sheet>
  );
}

function ignore(): void {}

const SALE = aSale(140, [aLine()]);

function SendingSheet() {
  return (
    <Sheet name="Sending a receipt">
      <Panel>
        <SendReceiptButton sale={SALE} />
      </Panel>
      <Panel>
        <SendReceipt sale={SALE} ways={{ ...WAYS, reach: "NETWORK", warned: true, mail: false }} />
      </Panel>
      <Panel>
        <SendReceipt sale={SALE} ways={{ ...WAYS, reach: "NONE" }} />
      </Panel>
      <Panel>
        <MailForm saleId={SALE.saleId} />
      </Panel>
      <Panel>
        <MessageForm sale={SALE} receiver="mensajes.tiendasol.example" />
      </Panel>
      <Panel>
        <SentReceipts saleId={SALE.saleId} />
      </Panel>
    </Sheet>
  );
}

const ROSA = { staffId: "s2", name: "Rosa", role: "owner" } as const;
const WRONG = new ApiError(401, "PIN_WRONG", "", { attemptsLeft: "3" });
const LOCKED = new ApiError(401, "PIN_LOCKED", "", { lockedUntil: minutesAway(5) });
const LOCK_OVER = new ApiError(401, "PIN_LOCKED", "", { lockedUntil: minutesAway(-5) });
const REFUSED = new ApiError(403, "FORBIDDEN", "", {});
const AWAY = new UnreachableError();

function TroubleSheet() {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Sheet name="Troubles">
      {[REFUSED, AWAY].map((error) => (
        <Panel key={error.name}>
          <ErrorNotice words={errorWords(error, t, format)} />
        </Panel>
      ))}
      <Panel>
        <QueryTrouble query={{ data: undefined, error: null, failureReason: AWAY }} />
      </Panel>
      {[WRONG, LOCKED, LOCK_OVER, REFUSED].map((error) => (
        <Panel key={`${error.errorCode} ${error.fields.lockedUntil}`}>
          <ApprovalTrouble error={error} person={ROSA} />
        </Panel>
      ))}
    </Sheet>
  );
}

function DialogSheet() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const title = t("approval.title");
  return (
    <Sheet name="Dialogs">
      <Button variant="default" onClick={() => setOpen(true)} data-opens="dialog">
        {title}
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={title} isInstant>
        <PinField label="PIN" />
      </Dialog>
      <TextInput ref={field} label={t("setup.shopName")} />
      <Button
        variant="default"
        onClick={() => field.current && typeLetters(field.current)}
        data-opens="keyboard"
      >
        {t("keyboard.name")}
      </Button>
      <Panel>
        <PinField label="PIN" />
        <PinField label="PIN" defaultValue="2583" error={t("setup.required")} />
      </Panel>
      {["GT", "ES", "NG", "XX"].map((country) => (
        <Flag key={country} country={country} />
      ))}
      <Panel>
        <WhatIsNewList
          versions={[
            { version: "0.2.0", sentences: [t("sale.reveal.hint"), t("sale.sendingHint")] },
            { version: "0.1.0", sentences: [t("sale.nothingCharged")] },
          ]}
        />
      </Panel>
    </Sheet>
  );
}
