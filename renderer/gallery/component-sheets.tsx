import {
  Button,
  Checkbox,
  PasswordInput,
  SegmentedControl,
  Select,
  Skeleton,
  Switch,
  TextInput,
} from "@mantine/core";
import { IconCoins, IconReportMoney, IconSettings } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../server/contract/common.ts";
import {
  GLYPH_SIZE,
  GLYPH_STROKE,
  GLYPHS,
  type Glyph,
} from "../../server/contract/faces/glyphs.ts";
import type { CatalogDifference as DifferenceFacts } from "../../server/contract/pos/upstream.ts";
import menuClasses from "../app/office/office-page.module.css";
import { AmountField } from "../components/amount-field.tsx";
import { BrandFace } from "../components/brand-face.tsx";
import { CatalogDifference } from "../components/catalog-difference.tsx";
import { ChangeBox } from "../components/change-box.tsx";
import { type Column, DataTable } from "../components/data-table.tsx";
import { EnvironmentChoice } from "../components/environment-choice.tsx";
import { FitText } from "../components/fit-text.tsx";
import { KeyCap } from "../components/key-cap.tsx";
import { LeftOut } from "../components/left-out.tsx";
import { Mark } from "../components/mark.tsx";
import { Notice } from "../components/notice.tsx";
import { OutcomeBadge } from "../components/outcome-badge.tsx";
import { QrCode } from "../components/qr-code.tsx";
import { ViewTabs } from "../components/view-tabs.tsx";
import { WhyPrice } from "../components/why-price.tsx";
import { WorksIn } from "../components/works-in.tsx";
import classes from "./gallery.module.css";
import { Panel, Sheet } from "./gallery-sheet.tsx";
import { OFFERS } from "./testing/sample-answers.ts";

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

export function OfficeSheet() {
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

const WAYS = ["Cash", "Card", "Other"];
const ROWS = [
  ["Tigo top-up", "42", "Q 1,050.00"],
  ["Netflix gift card", "7", "Q 700.00"],
] as const;
const COLUMNS: readonly Column<(typeof ROWS)[number]>[] = [
  { key: "product", head: "Product", cell: ([product]) => product },
  { key: "sales", head: "Sales", cell: ([, sales]) => sales, isNumber: true },
  { key: "amount", head: "Amount", cell: ([, , amount]) => amount, isNumber: true },
];
const PLACES = [
  ["Reports", IconReportMoney],
  ["Prices", IconCoins],
  ["Settings", IconSettings],
] as const;

export function ButtonSheet() {
  const [way, setWay] = useState("Cash");
  const [environment, setEnvironment] = useState<Environment>("test");
  return (
    <Sheet name="Buttons and choices">
      <Button>Take payment Q 25.00</Button>
      <Button loading>Taking payment</Button>
      <Button disabled>Choose an amount</Button>
      <Button variant="default">Print receipt</Button>
      <Button variant="light">Add funds</Button>
      <Button variant="subtle">Discount</Button>
      <Button variant="danger">Remove</Button>
      <SegmentedControl aria-label="Payment" data={WAYS} value={way} onChange={setWay} />
      <EnvironmentChoice value={environment} onChange={setEnvironment} />
      <Switch label="Printed receipts" defaultChecked />
      <Checkbox label="Change already given" defaultChecked />
    </Sheet>
  );
}

export function SurfaceSheet() {
  return (
    <Sheet name="Tables and navigation">
      <Panel>
        <DataTable
          label="Best sellers"
          columns={COLUMNS}
          rows={ROWS}
          keyOf={([product]) => product}
        />
      </Panel>
      <Panel>
        <Skeleton height="3.5rem" radius="md" />
        <p>
          <code>0O1l 4821-9930-1175</code>
        </p>
      </Panel>
      <nav className={menuClasses.navigation} aria-label="Example">
        {PLACES.map(([place, Icon], index) => (
          <a
            key={place}
            className={menuClasses.place}
            href="#example"
            aria-current={index === 0 ? "page" : undefined}
          >
            <Icon size="1.25rem" aria-hidden="true" />
            {place}
          </a>
        ))}
      </nav>
    </Sheet>
  );
}

const COLORS =
  "ground surface surface-2 sunken line line-strong ink ink-2 ink-3 accent accent-hover accent-press accent-soft accent-text good good-soft good-line wait wait-soft wait-line bad bad-soft bad-line test training chart-1 chart-2 chart-3 chart-4 chart-muted";
const SIZES = ["hero", "amount", "heading", "title", "label", "body", "caption"];
const WEIGHTS = ["strong", "label", "text"];

export function ColorSheet() {
  return (
    <Sheet name="Colours">
      <Mark />
      {COLORS.split(" ").map((name) => (
        <figure key={name} className={classes.color}>
          <span style={{ background: `var(--${name})` }} />
          <figcaption>{name}</figcaption>
        </figure>
      ))}
    </Sheet>
  );
}

export function TypeSheet() {
  return (
    <Sheet name="Type">
      {SIZES.map((size) =>
        WEIGHTS.map((weight) => (
          <p
            key={`${size} ${weight}`}
            style={{ fontSize: `var(--text-${size})`, fontWeight: `var(--weight-${weight})` }}
          >
            Q 1,234.50 · Çà œuvre ñandú ão ₦₵₹ · <bdi lang="ar">إيصال 1,234.50</bdi>
          </p>
        )),
      )}
    </Sheet>
  );
}

export function GlyphSheet() {
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

export function FaceSheet() {
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

const OUTCOMES = ["SENDING", "STILL_SENDING", "DELIVERED", "NOT_DELIVERED"] as const;
const AREA = { regions: ["Europe"], countries: ["ES", "FR", "PT", "IT"] };

export function StateSheet() {
  const { t } = useTranslation();
  const next = t("sale.total");
  return (
    <>
      <Sheet name="Keys">
        <span>
          <KeyCap>F1</KeyCap> <KeyCap>Enter</KeyCap> <KeyCap>3</KeyCap>
        </span>
      </Sheet>
      <Sheet name="Fields">
        <Fields />
      </Sheet>
      <Sheet name="Notices">
        {(["info", "wait", "bad", "offline", "stop"] as const).map((tone) => (
          <Notice key={tone} tone={tone}>
            {next}
          </Notice>
        ))}
      </Sheet>
      <Sheet name="Outcomes">
        {OUTCOMES.map((outcome) => (
          <span key={outcome} className={classes.pair}>
            <OutcomeBadge outcome={outcome} size="large" />
            <OutcomeBadge outcome={outcome} />
            <OutcomeBadge outcome={outcome} of={[{ productType: "BILL_PAY" }]} />
          </span>
        ))}
        <OutcomeBadge outcome="NOT_DELIVERED" of={[{ productType: "ESIM", canceled: true }]} />
      </Sheet>
      <Sheet name="Change">
        {(["plain", "short", "absurd"] as const).map((tone) => (
          <ChangeBox key={tone} label={t("sale.change")} amount="Q 73.65" tone={tone} isSilent />
        ))}
        <span className={classes.narrow}>
          <FitText>+502 5123 4567</FitText>
        </span>
        <QrCode content="LPA:1$smdp.example$CODE" label="QR" className={classes.code} />
        <WorksIn area={AREA} />
      </Sheet>
    </>
  );
}

function Fields() {
  const { t } = useTranslation();
  const [text, setText] = useState("100");
  const [view, setView] = useState<"a" | "b">("a");
  const label = t("setup.shopName");
  return (
    <>
      <TextInput label={label} placeholder="Tienda Sol" />
      <TextInput label={label} error={t("setup.required")} />
      <TextInput label={label} disabled value="Tienda Sol" readOnly />
      <PasswordInput label="PIN" value="1234" readOnly />
      <Select label={label} data={["A", "B"]} defaultValue="A" />
      <AmountField label={t("sale.total")} text={text} currencyDivisor={100} onText={setText} />
      <ViewTabs
        label={label}
        views={[
          { value: "a", label },
          { value: "b", label: t("sale.total") },
        ]}
        view={view}
        onView={setView}
      />
    </>
  );
}
