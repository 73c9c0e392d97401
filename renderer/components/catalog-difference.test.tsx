import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { addOfficeWords } from "../lib/i18n.ts";
import { officeWordsIn } from "../locales/office-words.ts";
import { CatalogDifference } from "./catalog-difference.tsx";

const OFFER = { brandName: "Netflix", country: "GT", productType: "VOUCHER" } as const;
const NONE = { added: 0, changed: 0, removed: 0 };

beforeAll(() => {
  addOfficeWords(officeWordsIn);
});

it("the catalog difference shows an offer's price change in percent", () => {
  render(
    <MantineProvider>
      <CatalogDifference
        title="Waiting"
        difference={{
          isFirst: false,
          offers: { total: 2, added: 0, removed: 0, cheaper: 1, dearer: 1, changed: 0 },
          added: [],
          removed: [],
          costChanges: [
            { ...OFFER, offerId: "NETFLIX_GT_50", percent: 4.5 },
            { ...OFFER, offerId: "NETFLIX_GT_25", percent: -50 },
          ],
          brands: NONE,
          promos: NONE,
          leftOut: [],
          leftOutCount: 0,
        }}
        isTaking={false}
        onTake={() => {}}
      />
    </MantineProvider>,
  );
  expect(screen.getByText("4.5% more")).toBeDefined();
  expect(screen.getByText("50% less")).toBeDefined();
});
