/** Key events of ten keyboard layouts, as Chromium reports them on Windows, macOS and Linux. */
import type { KeyReport } from "../../../lib/key-meaning.ts";
import { KEYPAD_KEYS, PLAIN_KEY } from "../../../lib/testing/key-reports.ts";

export const SYSTEMS = ["windows", "macos", "linux"] as const;
type System = (typeof SYSTEMS)[number];

/** Characters, each followed by the position of its key: "@Q" is @ on KeyQ, "#3" is # on Digit3. */
type Characters = string;

interface Layout {
  readonly name: string;
  /** Characters of the keys 1 to 9 and 0 without Shift. */
  readonly topRow: string;
  /** With AltGr on Windows and Linux. */
  readonly altGr: Characters;
  /** With Option on macOS. */
  readonly option: Characters;
  /** Positions of dead keys: `dead` without a modifier, `optionDead` with Option. */
  readonly dead: readonly string[];
  readonly optionDead: readonly string[];
}

const LATIN_ROW = "1234567890";

export const LAYOUTS: readonly Layout[] = [
  {
    name: "US",
    topRow: LATIN_ROW,
    altGr: "áA éE íI óO úU ñN €5 ¡1 ²2 ³3 ¤4 åW ßS øL çComma",
    option:
      "¡1 ™2 £3 ¢4 ∞5 §6 ¶7 •8 ª9 º0 åA ∫B çC ∂D ƒF ©G ˙H ∆J ˚K ¬L µM øO πP œQ ®R ßS †T √V ∑W ≈X ¥Y ΩZ",
    dead: ["Quote", "Backquote"],
    optionDead: ["KeyE", "KeyI", "KeyN", "KeyU", "Backquote"],
  },
  {
    name: "UK",
    topRow: LATIN_ROW,
    altGr: "€4 éE úU íI óO áA ¦Backquote",
    option:
      "¡1 €2 #3 ¢4 ∞5 §6 ¶7 •8 ª9 º0 åA ∫B çC ∂D ƒF ©G ˙H ∆J ˚K ¬L µM øO πP œQ ®R ßS †T √V ∑W ≈X ¥Y ΩZ",
    dead: [],
    optionDead: ["KeyE", "KeyI", "KeyN", "KeyU"],
  },
  {
    name: "Spanish",
    topRow: LATIN_ROW,
    altGr: "|1 @2 #3 ~4 €5 ¬6 €E [BracketLeft ]BracketRight {Quote }Backslash \\Backquote",
    option:
      "|1 @2 #3 ¢4 ∞5 ¬6 ÷7 “8 ”9 ≠0 åA ßB ©C ∂D €E ƒF ™H ¶J §K µM øO πP œQ ®R †T √V æW ∑X ¥Y ΩZ",
    dead: ["Quote", "BracketLeft"],
    optionDead: ["KeyN", "Semicolon"],
  },
  {
    name: "Latin American",
    topRow: LATIN_ROW,
    altGr: "@Q \\Minus ~BracketRight ^Quote `Backslash ¬Backquote",
    option:
      "|1 @2 #3 ¢4 ∞5 ¬6 ÷7 “8 ”9 ≠0 @Q åA ßB ©C ∂D €E ƒF ™H ¶J §K µM øO πP ®R †T √V ∑X ¥Y ΩZ",
    dead: ["BracketLeft"],
    optionDead: ["KeyN"],
  },
  {
    name: "Portuguese",
    topRow: LATIN_ROW,
    altGr: "@2 £3 §4 €5 {7 [8 ]9 }0 €E",
    option:
      "€2 £3 §4 ‰5 ¶6 ÷7 [8 ]9 ≠0 åA ∫B ©C ∂D éE ƒF ˙G ˇH ˝J ˚K ™L µM πP œQ ®R ßS †T √V ∑W ≈X ¥Y ΩZ @L",
    dead: ["BracketRight", "Backslash"],
    optionDead: ["KeyI", "KeyU", "KeyN"],
  },
  {
    name: "French AZERTY",
    topRow: "&é\"'(-è_çà",
    altGr: "#3 {4 [5 |6 `7 \\8 ^9 @0 ]Minus }Equal €E ¤BracketRight",
    option:
      "ë2 “3 ‘4 {5 ¶6 «7 ¡8 Ç9 ø0 æQ âZ êE ®R †T ÚY ºU îI œO πP ∂D ƒF ﬁG ÌH ÏJ ÈK ¬L µSemicolon ‹W ≈X ©C ◊V ßB",
    dead: ["BracketLeft"],
    optionDead: ["KeyN"],
  },
  {
    name: "German",
    topRow: LATIN_ROW,
    altGr: "²2 ³3 {7 [8 ]9 }0 \\Minus @Q €E ~BracketRight µM |IntlBackslash",
    option:
      "¡1 “2 ¶3 ¢4 [5 ]6 |7 {8 }9 ≠0 «Q ∑W €E ®R †T ΩZ ⁄I øO πP åA ‚S ∂D ƒF ©G ªH ºJ ∆K @L ≈X çC √V ∫B µM",
    dead: ["Equal", "Backquote"],
    optionDead: ["KeyN", "KeyU"],
  },
  {
    name: "Swiss",
    topRow: LATIN_ROW,
    altGr: "¦1 @2 #3 °4 §5 ¬6 |7 ¢8 ´Minus ~Equal €E [BracketLeft ]BracketRight {Quote }Backslash",
    option:
      "±1 “2 #3 Ç4 [5 ]6 |7 {8 }9 ≠0 œQ ∑W €E ®R †T ΩZ °U ¡I øO πP åA ‚S ∂D ƒF @G ªH ºJ ∆K ¬L ≈X ©C √V ∫B µM",
    dead: ["Equal", "BracketRight"],
    optionDead: ["KeyN"],
  },
  {
    name: "Nordic",
    topRow: LATIN_ROW,
    altGr: "@2 £3 $4 €5 {7 [8 ]9 }0 \\Minus €E ~BracketRight |IntlBackslash µM",
    option:
      "©1 @2 £3 $4 ∞5 §6 |7 [8 ]9 ≈0 •Q ΩW éE ®R †T µY üU ıI œO πP ∂D ƒF ¸G ˛H √J ªK ﬁL ÷Z çC ‹V ›B ‘N ’M",
    dead: ["Equal", "BracketRight"],
    optionDead: ["KeyU"],
  },
  {
    name: "Arabic",
    topRow: "١٢٣٤٥٦٧٨٩٠",
    altGr: "€4 ¤5 ‎Q ‏W",
    option: "¡1 ™2 £3 ¢4 ∞5 •8 ªA ∫B ©G ˙H ˚K ¬L ÷P ®R †T √V ∑W ≈X ¥Y",
    dead: [],
    optionDead: ["KeyN"],
  },
];

export interface LayoutEvent {
  readonly layout: string;
  readonly system: System;
  /**
   * A character or part of one, a digit, a key of an input method ("composition"), or a system key.
   * Only a digit has an effect at the counter.
   */
  readonly means: "character" | "digit" | "composition" | "system";
  readonly digit?: string;
  readonly report: KeyReport;
}

const ALT_GR: Readonly<Record<System, Partial<KeyReport>>> = {
  windows: { ctrlKey: true, altKey: true, isAltGraph: true },
  macos: { altKey: true },
  linux: { isAltGraph: true },
};

function codeOf(place: string): string {
  if (/^\d$/.test(place)) {
    return `Digit${place}`;
  }
  return place.length === 1 ? `Key${place}` : place;
}

function eventsOf(layout: Layout, system: System): LayoutEvent[] {
  const at = { layout: layout.name, system };
  const isMac = system === "macos";
  const event = (
    means: LayoutEvent["means"],
    report: Partial<KeyReport>,
    digit?: string,
  ): LayoutEvent => ({
    ...at,
    means,
    report: { ...PLAIN_KEY, ...report },
    ...(digit !== undefined && { digit }),
  });
  const characters = (isMac ? layout.option : layout.altGr).split(" ").map((written) => {
    const [key = "", ...place] = [...written];
    return event("character", { key, code: codeOf(place.join("")), ...ALT_GR[system] });
  });
  const dead = layout.dead.map((code) => event("character", { key: "Dead", code }));
  const optionDead = isMac
    ? layout.optionDead.map((code) => event("character", { key: "Dead", code, altKey: true }))
    : [];
  const topRow = [...layout.topRow].map((key, index) => {
    const digit = String((index + 1) % 10);
    return event("digit", { key, code: `Digit${digit}` }, digit);
  });
  const keypad = KEYPAD_KEYS.flatMap((key, digit) => {
    const code = `Numpad${digit}`;
    const on = event("digit", { key: String(digit), code }, String(digit));
    const off = event("digit", { key, code }, String(digit));
    // Apple keypads have no NumLock.
    return isMac ? [on] : [on, off];
  });
  const altCodes = isMac
    ? []
    : KEYPAD_KEYS.flatMap((key, digit) =>
        [String(digit), key].map((one) =>
          event("character", { key: one, code: `Numpad${digit}`, altKey: true }),
        ),
      );
  const composed = [
    event("composition", { key: "Process", code: "KeyA", keyCode: 229 }),
    // On-screen keyboard of Android.
    event("composition", { key: "Unidentified", code: "", keyCode: 229 }),
    event("composition", { key: "Enter", code: "", keyCode: 229 }),
    event("composition", { key: "Process", code: "Digit1", keyCode: 229 }),
    event("composition", { key: "ArrowDown", code: "ArrowDown", isComposing: true }),
    event("composition", { key: "Enter", code: "Enter", isComposing: true }),
    event("composition", { key: "Enter", code: "Enter", keyCode: 229 }),
  ];
  const fullWidth = Array.from(LATIN_ROW, (digit) => {
    const key = String.fromCharCode(0xff10 + Number(digit));
    return event("digit", { key, code: `Digit${digit}` }, digit);
  });
  const ofSystem = [
    event("system", { key: "j", code: "KeyJ", ctrlKey: true }),
    event("system", { key: "AltGraph", code: "AltRight" }),
    event("system", { key: "Alt", code: "AltLeft", altKey: true }),
    event("system", { key: "NumLock", code: "NumLock" }),
  ];
  return [
    ...characters,
    ...dead,
    ...optionDead,
    ...topRow,
    ...keypad,
    ...altCodes,
    ...composed,
    ...fullWidth,
    ...ofSystem,
  ];
}

export const LAYOUT_EVENTS: readonly LayoutEvent[] = LAYOUTS.flatMap((layout) =>
  SYSTEMS.flatMap((system) => eventsOf(layout, system)),
);
