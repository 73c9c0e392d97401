/** Adds a fifth family, donations, through the plugin interface alone. */
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { useReducer } from "react";
import { expect, it, vi } from "vitest";
import { newQueryClient } from "../../../../lib/testing/reset-page.ts";
import { type Picker, pickerControl } from "../../picker/tiles/picker-control.ts";
import { indexPicker } from "../../picker/tiles/picker-index.ts";
import {
  isFreshPicker,
  NO_PICKER,
  type PickerEvent,
  type PickerState,
  pickerReducer,
  viewPicker,
} from "../../picker/tiles/picker-state.ts";
import { PickerStep } from "../../picker/tiles/picker-step.tsx";
import type { LineItem } from "../../sale/attempt/line-item.ts";
import type { FamilyContext, FamilyPlugin, OpenFamily } from "./family.ts";

interface DonationTypes {
  readonly state: { readonly step: "cause"; readonly causes: PickerState };
  readonly event: PickerEvent;
}

const CAUSES = ["Red Cross", "Food bank"];
const INITIAL: DonationTypes["state"] = { step: "cause", causes: NO_PICKER };

function itemOf(cause: string): LineItem {
  return {
    productType: "VOUCHER",
    offerId: cause,
    brand: cause,
    brandName: cause,
    brandColor: "",
    country: "GT",
    title: cause,
    price: 1000,
    priceCurrency: "GTQ",
    priceCurrencyDivisor: 100,
    fields: [],
  };
}

function useOpenDonation(context: FamilyContext<DonationTypes>): OpenFamily {
  const { state, dispatch, compose, words } = context;
  const tiles = CAUSES.map((cause) => ({ id: cause, name: cause, item: cause }));
  const causes: Picker<string> = {
    state: state.causes,
    view: viewPicker(indexPicker(tiles), state.causes),
    dispatch,
    onPick: (cause) => compose(itemOf(cause)),
  };
  return {
    control: pickerControl(causes, { choose: "Which cause?", t: words.t }, true),
    pause: undefined,
    steps: () => (
      <PickerStep picker={causes} title="Which cause?" none="" tile={(cause) => cause} />
    ),
  };
}

const donations: FamilyPlugin<DonationTypes> = {
  Icon: () => null,
  initial: INITIAL,
  reduce: (state, event) => ({ ...state, causes: pickerReducer(state.causes, event) }),
  back: () => INITIAL,
  isUntouched: ({ causes }) => isFreshPicker(causes),
  underArrows: ({ causes }) => causes.focused,
  typed: ({ causes }) => causes,
  restored: () => INITIAL,
  prefill: ({ find = "" }) => ({ type: "query-typed", text: find }),
  opens: ({ brandName }) => ({ type: "query-typed", text: brandName }),
  wishFor: ({ brandName }) => ({ find: brandName }),
  useOpen: useOpenDonation,
  line: { headOf: ({ brandName }) => brandName },
};

const compose = vi.fn<(item: LineItem) => void>();

function Counter() {
  const [state, dispatch] = useReducer(
    donations.reduce,
    donations.reduce(INITIAL, donations.prefill({ find: "food" })),
  );
  const open = donations.useOpen({
    state,
    dispatch,
    compose,
    isOpen: true,
    till: {
      staffId: "ana",
      environment: "test",
      training: false,
      currency: "GTQ",
      cashStep: 0,
      tenders: [],
      currencyDivisor: 100,
      country: "GT",
    },
    items: [],
    words: {
      t: ((key: string) => key) as never,
      inShop: String,
      inShopShort: String,
      contents: String,
      country: String,
    },
    undo: () => undefined,
    things: {
      list: [],
      isBehind: false,
      isBegun: () => false,
      usual: [],
      open: () => undefined,
      openSale: () => undefined,
      reads: () => undefined,
    },
  });
  return (
    <>
      {open.steps(open.control)}
      <button type="button" onClick={() => open.control.pick?.(0)}>
        digit 1
      </button>
    </>
  );
}

it("a fifth family takes typed text, shows tiles, and turns a picked tile into a line", () => {
  render(
    <QueryClientProvider client={newQueryClient()}>
      <MantineProvider>
        <Counter />
      </MantineProvider>
    </QueryClientProvider>,
  );
  expect(screen.getByRole("heading", { name: "Which cause?" })).toBeDefined();
  expect(screen.queryByText("Red Cross")).toBeNull();
  screen.getByRole("button", { name: "digit 1" }).click();
  expect(compose.mock.calls[0]?.[0].brandName).toBe("Food bank");
  expect(donations.back(INITIAL)).toEqual(INITIAL);
});
