import { useMemo } from "react";
import type { PosVoucherOffer } from "../../../../../server/contract/pos/offers.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { countriesHomeFirst, homeFirst } from "../../picker/tiles/home-first.ts";
import type { Picker } from "../../picker/tiles/picker-control.ts";
import { usePickerView } from "../../picker/tiles/use-picker-view.ts";
import type { FamilyContext } from "../interface/family.ts";
import type { VoucherAnswers } from "./use-voucher-answers.ts";
import type { VoucherActions } from "./voucher-actions.ts";
import type { PickerBrand, VoucherTypes } from "./voucher-state.ts";

/** What there is to choose from in the steps of a voucher. */
export function useVoucherChoices(
  { state, dispatch, till }: FamilyContext<VoucherTypes>,
  { brands, offers, wallet }: VoucherAnswers,
  { pickOffer }: VoucherActions,
) {
  const format = useFormat();
  const { brand } = state;
  const home = till.country;

  const brandTiles = useMemo(() => homeFirst(brands.data?.list ?? [], home), [brands.data, home]);
  const brandPicker: Picker<PickerBrand> = {
    source: brands,
    state: state.brands,
    view: usePickerView(brandTiles, state.brands),
    dispatch: (event) => dispatch({ type: "brands", event }),
    onPick: (picked) => dispatch({ type: "brand-picked", brand: picked, home }),
  };

  const countryTiles = useMemo(
    () => countriesHomeFirst(brand?.countries ?? [], home, format.country),
    [brand, format, home],
  );
  const countryPicker: Picker<string> = {
    state: state.tiles,
    view: usePickerView(countryTiles, state.tiles),
    dispatch: (event) => dispatch({ type: "tiles", event }),
    onPick: (picked) => dispatch({ type: "country-picked", country: picked }),
  };

  const offerTiles = useMemo(
    () =>
      (offers.data?.list ?? []).map((offer) => ({
        id: offer.offerId,
        name: offer.title,
        item: offer,
      })),
    [offers.data],
  );
  const offerPicker: Picker<PosVoucherOffer> = {
    source: offers,
    state: state.tiles,
    view: usePickerView(offerTiles, state.tiles),
    dispatch: (event) => dispatch({ type: "tiles", event }),
    cannotPay: wallet.cannotPay,
    onPick: pickOffer,
  };

  return { brandPicker, countryPicker, offerPicker };
}
