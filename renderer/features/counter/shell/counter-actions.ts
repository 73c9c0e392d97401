import type { ScreenCommand } from "../../../lib/screen-commands.ts";
import type { CounterIntent } from "./counter-keys.ts";
import type { Counter } from "./use-counter.ts";

export interface CounterActions {
  readonly run: (command: ScreenCommand) => void;
  /** Called after Enter, to show the reason if the step is incomplete. */
  readonly proceeding: () => void;
}

export function carryOut(intent: CounterIntent, counter: Counter, actions: CounterActions): void {
  const { control, sale } = counter;
  switch (intent.do) {
    case "proceed":
      actions.proceeding();
      return control.proceed();
    case "sell-again":
      if (sale.numberAsk) {
        return sale.numberAsk.skip();
      }
      return sale.confirmsFirst ? void sale.pay("again") : undefined;
    case "keep-line":
      return counter.keepLine();
    case "family":
      return counter.pickFamily(intent.family);
    case "remove-line":
      return counter.removeLine(intent.index);
    case "undo":
      return counter.undo();
    case "open-others":
      return counter.openOthers();
    case "open-own":
      return counter.openOwn();
    case "hold":
      return counter.held.open();
    case "customer-refund":
    case "print":
    case "send-receipt":
    case "next-language":
    case "name-number":
      return actions.run(intent.do);
    case "zero":
      return control.zero?.();
    case "type":
      return control.type?.((text) => text + intent.text);
    case "erase":
      return control.type?.((text) => text.slice(0, -1));
    case "pick":
      return control.pick?.(intent.index);
    case "letter":
      return control.letter?.(intent.letter);
    case "turn-tab":
      return control.turnTab?.(intent.step);
    case "turn-page":
      return control.turnPage?.(intent.step);
    case "move":
      return control.move?.(intent.step);
    case "move-to":
      return control.moveTo?.(intent.end);
  }
}
