import type { ComponentType, ReactNode } from "react";
import type { SaleLine } from "../../../../../server/contract/pos/sale-lines.ts";
import type { LineDetails, LineItem } from "../../sale/attempt/line-item.ts";
import type { Till } from "../../sale/attempt/till.ts";
import type { Pause } from "../../ui/pause.tsx";
import type { StepControl, StepWords } from "../../ui/step-control.ts";
import type { FoundThings, SoldThing } from "./sold-thing.ts";

export interface FamilyTypes {
  readonly state: { readonly step: string };
  readonly event: { readonly type: string };
}

/**
 * Plugin of one family. Its state is a plain value, which only `reduce` changes. Only `useOpen`
 * queries the gateway.
 */
export interface FamilyPlugin<Types extends FamilyTypes> {
  readonly Icon: ComponentType<FamilyIconProps>;

  readonly initial: Types["state"];
  readonly reduce: (state: Types["state"], event: Types["event"]) => Types["state"];
  readonly back: (state: Types["state"]) => Types["state"];
  readonly isUntouched: (state: Types["state"]) => boolean;
  /** Id of the tile, or the known number, selected with the arrow keys. */
  readonly underArrows: (state: Types["state"]) => string | undefined;
  /** Returns a value that differs after each change of the input. */
  readonly typed: (state: Types["state"]) => unknown;
  /** Returns the state to which undo goes back from this line's confirm step. */
  readonly restored: (item: LineItem) => Types["state"];
  /** Fills the first step with a search from another screen. */
  readonly prefill: (wish: CounterWish) => Types["event"];
  readonly wishFor: (found: FoundThing) => CounterWish;
  readonly opens: (thing: SoldThing, till: Till) => Types["event"];
  /** Starts a draft if only this family uses the format of the whole text, such as an ICCID. */
  readonly reads?: (text: string) => Types["event"] | undefined;
  readonly number?: NumberTaker<Types>;

  readonly useOpen: (context: FamilyContext<Types>) => OpenFamily;

  readonly line: LineDetails;
  readonly Sold?: ComponentType<{ readonly lines: readonly SaleLine[] }>;
}

export interface FamilyIconProps {
  readonly className?: string;
  readonly size: string;
  readonly stroke?: number;
  readonly "aria-hidden": "true";
}

interface NumberTaker<Types extends FamilyTypes> {
  readonly typed: (text: string) => Types["state"];
  readonly isOpen: (state: Types["state"]) => boolean;
  /** Returns the words in the field; empty if the field contains a number. */
  readonly words: (state: Types["state"]) => string;
}

/** Search from another screen. */
export interface CounterWish {
  /** Typed number of a top-up, which may be incomplete. */
  readonly number?: string;
  /** Search words for the picker of the open family: a brand, a place or a biller. */
  readonly find?: string;
  readonly held?: true;
}

/** Brand found by a search. Its texts are in the clerk's language. */
export interface FoundThing {
  readonly brandName: string;
  /** ISO 3166-1 alpha-2; empty for a brand without a single country. */
  readonly country: string;
  /** Name of the country or the region; empty if the brand has none. */
  readonly place: string;
}

export interface ComposeContext {
  readonly compose: (item: LineItem) => void;
  readonly till: Till;
  readonly items: readonly LineItem[];
  readonly words: StepWords;
  readonly undo: () => void;
  readonly things: FoundThings;
}

export interface FamilyContext<Types extends FamilyTypes> extends ComposeContext {
  readonly state: Types["state"];
  readonly dispatch: (event: Types["event"]) => void;
  /** Only the open family queries the gateway. */
  readonly isOpen: boolean;
}

export interface LineDraft {
  readonly brand: string;
  readonly brandName: string;
  readonly brandColor: string;
  readonly title: string;
}

export interface OpenFamily {
  readonly control: StepControl;
  readonly pause: Pause | undefined;
  readonly showsPause?: boolean;
  /** True if the clerk can still choose another brand, so that a pause does not block the step. */
  readonly ignoresPause?: boolean;
  /** Alt+C: chooses another carrier or country. */
  readonly openOthers?: () => void;
  /** Alt+I: opens the input for an eSIM that the customer already has. */
  readonly openOwn?: () => void;
  /** Undoes the last choice, because its digit was the first digit of a phone number. */
  readonly takeBack?: () => void;
  /** Incomplete line. Undefined while only the family is chosen. */
  readonly draft?: LineDraft | undefined;
  /**
   * Renders the finished steps in one line, and the current step below. `control` contains the
   * current step's keyboard actions.
   */
  readonly steps: (control: StepControl) => ReactNode;
}
