import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { CatalogDifference as DifferenceFacts } from "../../server/contract/pos/upstream.ts";
import { CatalogDifference } from "../components/catalog-difference.tsx";
import { LeftOut } from "../components/left-out.tsx";
import { WhyPrice } from "../components/why-price.tsx";
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
