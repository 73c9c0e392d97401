import type { StepControl, StepWords } from "../../ui/step-control.ts";
import type { Held } from "./use-held.ts";

export function heldControl(held: Held, { t }: StepWords): StepControl {
  return {
    typing: "none",
    next: { label: t("counter.next.held"), ready: false },
    proceed: () => undefined,
    pick: (index) => {
      const one = held.tiles[index];
      if (one) {
        held.choose(one);
      }
    },
    turnPage: (step) => held.turnTo(Math.min(Math.max(0, held.page + step), held.pages - 1)),
  };
}
