import type { ComponentType, ReactNode } from "react";
import type { SaleLine } from "../../../../../server/contract/pos/sale-lines.ts";
import type { LineItem } from "../../sale/attempt/line-item.ts";
import type { Till } from "../../sale/attempt/till.ts";
import type { LineDetails } from "../../sale/confirm/line-details.ts";
import type { Pause } from "../../ui/pause.ts";
import type { StepControl, StepWords } from "../../ui/step-control.ts";
import type { CounterWish } from "./counter-wish.ts";
import type { FoundThings, SoldThing } from "./sold-thing.ts";

/** What is a family's own: how far its line is composed, what happens to it, its place in the address. */
export interface FamilyTypes {
  readonly state: { readonly step: string };
  readonly event: { readonly type: string };
  readonly sell: string;
}

/**
 * One family as the counter knows it. Its state is a plain value that `reduce` alone changes; what it
 * asks of the gateway is behind `useOpen`. All else of a family stays in its folder.
 */
export interface FamilyPlugin<Types extends FamilyTypes> {
  /** The function key that begins it. */
  readonly key: string;
  /** How an address names it. */
  readonly sell: Types["sell"];
  readonly Icon: ComponentType<FamilyIconProps>;

  /** Nothing of a line was typed or chosen yet. */
  readonly initial: Types["state"];
  readonly reduce: (state: Types["state"], event: Types["event"]) => Types["state"];
  /** One step back. */
  readonly back: (state: Types["state"]) => Types["state"];
  readonly isUntouched: (state: Types["state"]) => boolean;
  /** What the arrow keys have moved to: a tile, or a known number. */
  readonly underArrows: (state: Types["state"]) => string | undefined;
  /** Everything that is typed: another value whenever any of it changes. */
  readonly typed: (state: Types["state"]) => unknown;
  /** What stands behind the confirm step of this line when it is opened again, where undo leads. */
  readonly restored: (item: LineItem) => Types["state"];
  /** What is typed into the first step for what was searched for elsewhere. */
  readonly prefill: (wish: CounterWish) => Types["event"];
  /** The wish for what a search found. */
  readonly wishFor: (found: FoundThing) => CounterWish;
  /** What begins a line of what was found in the one field. */
  readonly opens: (thing: SoldThing, till: Till) => Types["event"];
  /** What begins a line where all that was typed is something of this family alone, such as an ICCID. */
  readonly reads?: (text: string) => Types["event"] | undefined;
  /** Of a family whose first step takes a number: that number, and whether the step is open. */
  readonly number?: NumberTaker<Types>;

  /** The line joined to the gateway, and what the keys do in the step that is open. A hook. */
  readonly useOpen: (context: FamilyContext<Types>) => OpenFamily;

  /** What the confirm step shows of a line. */
  readonly line: LineDetails;
  /** What may be done with lines of it that were sold. */
  readonly Sold?: ComponentType<{ readonly lines: readonly SaleLine[] }>;
}

export interface FamilyIconProps {
  readonly size: string;
  readonly stroke?: number;
  readonly "aria-hidden": "true";
}

interface NumberTaker<Types extends FamilyTypes> {
  readonly typed: (text: string) => Types["state"];
  readonly isOpen: (state: Types["state"]) => boolean;
  /** What stands in the same field in place of a number. */
  readonly words: (state: Types["state"]) => string;
}

/** A brand that was found, in the clerk's words. */
export interface FoundThing {
  readonly brandName: string;
  /** ISO 3166-1 alpha-2; empty for what is for no country alone. */
  readonly country: string;
  /** The name of its country, or of its region; empty where it has none. */
  readonly place: string;
}

/** What every family is given while a line is composed. */
export interface ComposeContext {
  /** The line is complete: it goes to the confirm step. */
  readonly compose: (item: LineItem) => void;
  readonly till: Till;
  /** What is in the basket. */
  readonly items: readonly LineItem[];
  readonly words: StepWords;
  readonly undo: () => void;
  /** What is sold that fits the words in the one field. */
  readonly things: FoundThings;
}

export interface FamilyContext<Types extends FamilyTypes> extends ComposeContext {
  readonly state: Types["state"];
  readonly dispatch: (event: Types["event"]) => void;
  /** The family is shown: what it needs is asked for. */
  readonly isOpen: boolean;
}

/** A line before it is complete, as the current sale shows it. */
export interface LineDraft {
  readonly brand: string;
  readonly brandName: string;
  readonly brandColor: string;
  readonly title: string;
}

/** A family while a line of it is composed. */
export interface OpenFamily {
  readonly control: StepControl;
  /** What there is to know of the provider of the chosen brand. */
  readonly pause: Pause | undefined;
  /** The step says of the pause itself, beside the brand. */
  readonly showsPause?: boolean;
  /** What the step is about may be of another brand than the one that is paused. */
  readonly ignoresPause?: boolean;
  /** Alt+C: another carrier or country. */
  readonly openOthers?: () => void;
  /** Alt+I: something that the customer has already. */
  readonly openOwn?: () => void;
  /** What was chosen last was the first digit of a number: it was never meant. */
  readonly takeBack?: () => void;
  /** What is known of the line so far, where that is more than its family. */
  readonly draft?: LineDraft | undefined;
  /** The finished steps in a line, the open one below. `control` is what its keys do by now. */
  readonly steps: (control: StepControl) => ReactNode;
}
