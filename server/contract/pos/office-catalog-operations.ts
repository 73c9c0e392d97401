import {
  CatalogPage,
  CatalogParams,
  CatalogPins,
  CatalogQuery,
  CatalogSummary,
  CatalogSwitch,
  CatalogSwitches,
  CatalogUpdates,
  PinInput,
  SwitchInput,
  SwitchParams,
  SwitchPreview,
} from "./office-catalog.ts";
import { defineOperation } from "./operation.ts";

/** What every operation on an environment's catalog has in common. */
const OF_THE_CATALOG = {
  params: CatalogParams,
  access: "staff",
  right: "changeCatalog",
  refusals: [],
} as const;

/** What the shop sells, as its owner arranges it. */
export const officeCatalogOperations = {
  summarize: defineOperation({
    ...OF_THE_CATALOG,
    method: "GET",
    path: "/catalog/:environment",
    answer: CatalogSummary,
  }),
  listOffers: defineOperation({
    ...OF_THE_CATALOG,
    method: "GET",
    path: "/catalog/:environment/offers",
    query: CatalogQuery,
    answer: CatalogPage,
  }),
  listSwitches: defineOperation({
    ...OF_THE_CATALOG,
    method: "GET",
    path: "/catalog/:environment/switches",
    answer: CatalogSwitches,
  }),
  previewSwitch: defineOperation({
    ...OF_THE_CATALOG,
    method: "POST",
    path: "/catalog/:environment/switches/preview",
    body: SwitchInput,
    answer: SwitchPreview,
  }),
  switch: defineOperation({
    ...OF_THE_CATALOG,
    method: "POST",
    path: "/catalog/:environment/switches",
    body: SwitchInput,
    answer: CatalogSwitch,
    refusals: ["NOT_FOUND"],
  }),
  undoSwitch: defineOperation({
    ...OF_THE_CATALOG,
    method: "DELETE",
    path: "/catalog/:environment/switches/:sequence",
    params: SwitchParams,
    answer: CatalogSwitches,
    refusals: ["NOT_FOUND"],
  }),
  listPins: defineOperation({
    ...OF_THE_CATALOG,
    method: "GET",
    path: "/catalog/:environment/pins",
    answer: CatalogPins,
  }),
  savePins: defineOperation({
    ...OF_THE_CATALOG,
    method: "PUT",
    path: "/catalog/:environment/pins",
    body: PinInput,
    answer: CatalogPins,
    refusals: ["NOT_FOUND"],
  }),
  listUpdates: defineOperation({
    ...OF_THE_CATALOG,
    method: "GET",
    path: "/catalog/:environment/updates",
    answer: CatalogUpdates,
  }),
};
