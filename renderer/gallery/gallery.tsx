/**
 * Every shared component in its states, for people who work on them: `/gallery.html` of the development
 * server, in any theme and language. No build of the till has it.
 */
import "@mantine/core/styles.css";
import "../theme/fonts.css";
import "../theme/global.css";
import "../theme/tokens.css";
import { Button, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { useTranslation } from "react-i18next";
import {
  GLYPH_SIZE,
  GLYPH_STROKE,
  GLYPHS,
  type Glyph,
} from "../../server/contract/faces/glyphs.ts";
import type { Sale } from "../../server/contract/pos/sales.ts";
import type { CatalogDifference as DifferenceFacts } from "../../server/contract/pos/waiting-catalog.ts";
import { createQueryClient, Providers } from "../app/providers.tsx";
import { BrandFace } from "../components/brand-face.tsx";
import { CatalogDifference } from "../components/catalog-difference.tsx";
import { CustomerRefundAction } from "../components/customer-refund-action.tsx";
import { CustomerRefundButton } from "../components/customer-refund-button.tsx";
import { DeliveredDetails } from "../components/delivered-details.tsx";
import { LeftOut } from "../components/left-out.tsx";
import { OutcomeBadge } from "../components/outcome-badge.tsx";
import { PrintButton } from "../components/print-button.tsx";
import { ReceiptFrame, ReceiptItem } from "../components/receipt-frame.tsx";
import { ReceiptLanguage } from "../components/receipt-language.tsx";
import { MailForm, MessageForm } from "../components/receipt-sending-forms.tsx";
import { RevealDetails } from "../components/reveal-details.tsx";
import { SaleReceipt } from "../components/sale-receipt.tsx";
import { SendReceipt } from "../components/send-receipt.tsx";
import { SendReceiptButton } from "../components/send-receipt-button.tsx";
import { SentReceipts } from "../components/sent-receipts.tsx";
import { ThemeToggle } from "../components/theme-toggle.tsx";
import { WhyPrice } from "../components/why-price.tsx";
import { BrandFacesContext } from "../lib/brand-faces.ts";
import {
  addLanguage,
  addOfficeWords,
  chooseLanguage,
  isLanguage,
  LANGUAGE_NAMES,
  startI18n,
} from "../lib/i18n.ts";
import { ShopCurrencyContext, useFormat } from "../lib/use-format.ts";
import { officeWordsIn } from "../locales/office-words.ts";
import { loadFonts } from "../theme/load-fonts.ts";
import classes from "./gallery.module.css";
import { Panel, Sheet } from "./gallery-sheet.tsx";
import { StateSheet } from "./state-sheet.tsx";
import { answerFromSamples, OFFERS, WAYS } from "./testing/sample-answers.ts";
import {
  aLine,
  anEsim,
  aSale,
  aVoucher,
  NOT_DELIVERED,
  SENDING,
  STILL_SENDING,
} from "./testing/sample-sales.ts";
import { ColorSheet, TypeSheet } from "./token-sheets.tsx";
import { DialogSheet, TroubleSheet } from "./trouble-sheets.tsx";

const SALE = aSale(140, [aLine()]);

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

const NONE = { added: 0, changed: 0, removed: 0 };
const OFFER = { offerId: "NETFLIX_GT_50", brandName: "Netflix", country: "GT" } as const;
const LEFT_OUT = ["AIRHUB_XX_1GB: its country is none", "CLARO_GT_5: no price"];
const SAME: DifferenceFacts = {
  isFirst: false,
  offers: { total: 1_204, added: 0, removed: 0, cheaper: 0, dearer: 0, changed: 0 },
  added: [],
  removed: [],
  costChanges: [],
  brands: NONE,
  promos: NONE,
  leftOut: [],
  leftOutCount: 0,
};
const OTHER: DifferenceFacts = {
  ...SAME,
  offers: { total: 1_204, added: 12, removed: 3, cheaper: 40, dearer: 7, changed: 1_020 },
  added: [{ ...OFFER, productType: "VOUCHER" }],
  removed: [{ ...OFFER, offerId: "NETFLIX_GT_25", productType: "VOUCHER" }],
  costChanges: [
    {
      ...OFFER,
      productType: "VOUCHER",
      percent: 4.5,
      fixed: { before: 612, after: 640, currency: "USD", currencyDivisor: 100 },
    },
    { ...OFFER, offerId: "TIGO_GT_RANGE", productType: "TOPUP", percent: -1.2 },
  ],
  forCountry: { country: "GT", offers: 96 },
  leftOut: LEFT_OUT,
  leftOutCount: 2,
};

/** Dark and light grounds, none, long names, two scripts, and abroad. */
const BRANDS: readonly (readonly [name: string, color: string, glyph: Glyph, country?: string])[] =
  [
    ["Tigo", "#00377b", "mobile"],
    ["Free Fire", "#ff9c00", "games"],
    ["Netflix", "#e50914", "streaming"],
    ["MTN", "#ffcc00", "mobile", "GH"],
    ["adidas", "#000000", "fashion"],
    ["Blank", "#ffffff", "card"],
    ["Abuja Electricity", "#00843d", "light", "NG"],
    ["Seguros El Roble", "", "insurance"],
    ["Saskatchewan Water Corporation", "", "water", "CA"],
    ["الاتصالات السعودية", "#4f008c", "mobile", "SA"],
    ["", "", "card"],
  ];

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
      <GlyphSheet />
      <FaceSheet />
      <StateSheet />
      <TroubleSheet />
      <DialogSheet />
      <SaleSheet />
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
// All of it is there before anything is drawn: nothing moves when another language is chosen.
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

/** All drawings of what brands sell. */
function GlyphSheet() {
  return (
    <Sheet name="Glyphs">
      {Object.entries(GLYPHS).map(([name, path]) => (
        <figure key={name} className={classes.glyph}>
          <svg viewBox={`0 0 ${GLYPH_SIZE} ${GLYPH_SIZE}`} aria-hidden="true">
            <path d={path} strokeWidth={GLYPH_STROKE} />
          </svg>
          <figcaption>{name}</figcaption>
        </figure>
      ))}
    </Sheet>
  );
}

/** A face at both of its sizes. */
function FaceSheet() {
  return (
    <Sheet name="Brand faces">
      {BRANDS.map(([name, color, glyph, country]) => (
        <span key={name} className={classes.pair}>
          {(["large", "small"] as const).map((size) => (
            <BrandFace
              key={size}
              brand=""
              name={name}
              color={color}
              size={size}
              country={country}
              facts={{ glyph }}
            />
          ))}
        </span>
      ))}
    </Sheet>
  );
}

/** What owners and people with the right to see figures decide by. */
function OfficeSheet() {
  const { t } = useTranslation();
  return (
    <Sheet name="Back office">
      {[OTHER, SAME].map((difference) => (
        <Panel key={difference.leftOutCount}>
          <CatalogDifference
            title={t("office.live.catalog.take")}
            difference={difference}
            isTaking={difference === SAME}
            onTake={() => {}}
          >
            <Button variant="default">{t("common.retry")}</Button>
          </CatalogDifference>
        </Panel>
      ))}
      <Panel>
        <LeftOut leftOut={LEFT_OUT} leftOutCount={LEFT_OUT.length} />
      </Panel>
      {Object.values(OFFERS).map((offerId) => (
        <Panel key={offerId}>
          <WhyPrice environment="test" offerId={offerId} />
        </Panel>
      ))}
    </Sheet>
  );
}

/** Sales as the clerk sees them after the payment, in each outcome. */
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
          badge={<OutcomeBadge outcome="SENDING" size="large" />}
          sums={{ ...NEW, cashRounding: 5 }}
          isAtPayment
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

/** What the customer came for. */
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

/** What is done with a sale that is over. */
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

/** A receipt on its way to the customer's phone. */
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
