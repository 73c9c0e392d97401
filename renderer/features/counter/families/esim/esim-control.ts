import { pickerControl } from "../../picker/tiles/picker-control.ts";
import { isAwaited } from "../../ui/asked.ts";
import type { StepControl, StepWords } from "../../ui/step-control.ts";
import { iccidDigits } from "./iccid.ts";
import { nextChoice } from "./plan-filters.ts";
import type { Esim } from "./use-esim.ts";

/** What the keys do while an eSIM is composed. */
export function esimControl(esim: Esim, { t }: StepWords): StepControl {
  const { state, dispatch } = esim;
  switch (state.step) {
    case "place":
      return pickerControl(esim.placePicker, { choose: t("counter.next.place"), t }, true);
    case "plan":
      return {
        ...pickerControl(esim.planPicker, { choose: t("counter.next.plan"), t }, false),
        letter: (letter) => {
          if (letter === "g") {
            dispatch({
              type: "data-filtered",
              data: nextChoice(esim.dataChoices, state.dataFilter),
            });
          } else if (letter === "d") {
            dispatch({
              type: "days-filtered",
              days: nextChoice(esim.dayChoices, state.dayFilter),
            });
          }
        },
      };
    case "iccid":
      return {
        typing: "digits",
        next: {
          label: t("counter.next.plans"),
          ready: esim.held.data !== undefined,
          ...(state.iccidText === "" && { missing: t("counter.needed.field") }),
        },
        ...(isAwaited(esim.held) && { waits: "here" }),
        proceed: esim.enterIccid,
        type: (edit) => dispatch({ type: "iccid-typed", text: iccidDigits(edit(state.iccidText)) }),
      };
    case "device":
      return {
        typing: "none",
        next: { label: t("counter.next.device"), ready: !state.isUnfit },
        proceed: esim.confirmDevice,
        letter: (letter) => {
          if (letter === "n") {
            dispatch({ type: "device-unfit" });
          }
        },
      };
  }
}
