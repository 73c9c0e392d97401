import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { PosBillOffer } from "../../../../../server/contract/pos/offers.ts";
import { kindWords } from "../../../../lib/kind-words.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { countriesHomeFirst, homeFirst } from "../../picker/tiles/home-first.ts";
import type { Picker } from "../../picker/tiles/picker-control.ts";
import { usePickerView } from "../../picker/tiles/use-picker-view.ts";
import type { FamilyContext } from "../interface/family.ts";
import type { BillActions } from "./bill-actions.ts";
import type { Biller, BillTypes } from "./bill-state.ts";
import type { BillAnswers } from "./use-bill-answers.ts";

/** What there is to choose from in the steps of a bill payment. */
export function useBillChoices(
  { state, dispatch, till }: FamilyContext<BillTypes>,
  { billers, services, wallet }: BillAnswers,
  { pickService }: BillActions,
) {
  const { t } = useTranslation();
  const format = useFormat();
  const { biller } = state;
  const home = till.country;

  const billerTiles = useMemo(
    () => homeFirst(billers.data?.list ?? [], home),
    [billers.data, home],
  );
  const billerPicker: Picker<Biller> = {
    source: billers,
    state: state.billers,
    view: usePickerView(billerTiles, state.billers),
    dispatch: (event) => dispatch({ type: "billers", event }),
    onPick: (picked) => dispatch({ type: "biller-picked", biller: picked, home }),
  };

  const countryTiles = useMemo(
    () => countriesHomeFirst(biller?.countries ?? [], home, format.country),
    [biller, format, home],
  );
  const countryPicker: Picker<string> = {
    state: state.tiles,
    view: usePickerView(countryTiles, state.tiles),
    dispatch: (event) => dispatch({ type: "tiles", event }),
    onPick: (picked) => dispatch({ type: "country-picked", country: picked }),
  };

  const serviceTiles = useMemo(
    () =>
      (services.data?.list ?? []).map((service) => ({
        id: service.offerId,
        name: kindWords(service.subTypes[0] ?? service.title, t),
        item: service,
      })),
    [services.data, t],
  );
  const servicePicker: Picker<PosBillOffer> = {
    source: services,
    state: state.tiles,
    view: usePickerView(serviceTiles, state.tiles),
    dispatch: (event) => dispatch({ type: "tiles", event }),
    cannotPay: wallet.cannotPay,
    onPick: pickService,
  };

  return { billerPicker, countryPicker, servicePicker };
}
