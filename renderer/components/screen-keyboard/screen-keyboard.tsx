import { useMediaQuery } from "@mantine/hooks";
import { IconArrowBigUp, IconBackspace, IconKeyboardHide } from "@tabler/icons-react";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Language } from "../../../server/contract/pos/setup.ts";
import { eraseText, insertText, nextField } from "../../lib/type-into.ts";
import { stopTyping, useTyping } from "../../lib/typing-by-touch.ts";
import { useFormat } from "../../lib/use-format.ts";
import classes from "./screen-keyboard.module.css";

const DIGITS = "1234567890";
const QWERTY = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const LATIN: Partial<Record<Language, readonly string[]>> = {
  es: ["qwertyuiop", "asdfghjklñ", "zxcvbnm"],
  fr: ["azertyuiop", "qsdfghjklm", "wxcvbn"],
  pt: ["qwertyuiop", "asdfghjklç", "zxcvbnm"],
};
const ARABIC = ["ضصثقفغعهخحجد", "شسيبلاتنمكط", "ئءؤرىةوزظذأإ"];
const ACCENTS: Partial<Record<Language, string>> = {
  es: "áéíóúü¿¡",
  fr: "àâçéèêëîïôùû",
  pt: "áàâãéêíóôõú",
};
const SIGNS = ["@.-_/+,:;'", `&#()!?"*%=`];

type Typing = NonNullable<ReturnType<typeof useTyping>>;

/**
 * A keyboard at the bottom of the window, for touch screens of systems without an on-screen
 * keyboard.
 */
export function ScreenKeyboard() {
  const { t } = useTranslation();
  const typing = useTyping();
  const bar = useRef<HTMLFieldSetElement>(null);
  const field = typing?.field;
  const keys = typing?.keys;
  useLayoutEffect(() => {
    const root = document.documentElement;
    if (!field || !keys) {
      return;
    }
    root.dataset.keyboard = keys;
    const measure = () =>
      root.style.setProperty("--keyboard", `${bar.current?.offsetHeight ?? 0}px`);
    const observer = new ResizeObserver(measure);
    if (bar.current) {
      observer.observe(bar.current);
    }
    measure();
    field.scrollIntoView?.({ block: "center" });
    return () => {
      observer.disconnect();
      delete root.dataset.keyboard;
      root.style.removeProperty("--keyboard");
    };
  }, [field, keys]);
  if (!typing) {
    return null;
  }
  return (
    <fieldset
      ref={bar}
      className={classes.bar}
      data-screen-keyboard
      dir="ltr"
      aria-label={t("keyboard.name")}
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
    >
      {typing.keys === "digits" ? <Digits typing={typing} /> : <Letters typing={typing} />}
    </fieldset>
  );
}

interface KeyProps {
  readonly label?: string;
  readonly pressed?: boolean;
  readonly grow?: boolean;
  readonly children: ReactNode;
  readonly onPress: () => void;
}

function Key({ label, pressed, grow = false, children, onPress }: KeyProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.key}
      data-grow={grow}
      aria-label={label}
      aria-pressed={pressed}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

function Digits({ typing }: { readonly typing: Typing }) {
  const format = useFormat();
  const { field, mode } = typing;
  const sign = signOf(mode);
  const key = (text: string, shown = text) => (
    <Key key={text} onPress={() => insertText(field, text)}>
      {shown}
    </Key>
  );
  return (
    <div className={classes.digits}>
      {["1", "2", "3"].map((digit) => key(digit))}
      <EraseKey typing={typing} />
      {["4", "5", "6"].map((digit) => key(digit))}
      {key("00")}
      {["7", "8", "9"].map((digit) => key(digit))}
      {sign ? key(sign, sign === "." ? format.typedAmount(".") : sign) : <span />}
      <HideKey />
      {key("0")}
      <NextKey typing={typing} />
    </div>
  );
}

/** Narrower windows have no room for ten keys of a finger's width in a row. */
const IS_NARROW = "(max-width: 34em)";

function Letters({ typing }: { readonly typing: Typing }) {
  const { t, i18n } = useTranslation();
  const language = i18n.language as Language;
  const isNarrow = useMediaQuery(IS_NARROW, false, { getInitialValueInEffect: false });
  const [page, setPage] = useState<"letters" | "signs">("letters");
  const [script, setScript] = useState<Script>(language === "ar" ? "arabic" : "latin");
  const [isUpper, setUpper] = useState(false);
  const letters = isNarrow ? [lettersInOrder(language, script)] : letterRows(language, script);
  const signsKey = isNarrow ? "123" : "@#";
  const rows = page === "letters" ? letters : signRows(language);
  // Rows in alphabetical order follow the reading direction; rows in keyboard order do not.
  const isFromRight = isNarrow && page === "letters" && script === "arabic";
  const shown = (letter: string) => (isUpper ? letter.toLocaleUpperCase(language) : letter);
  return (
    <div className={classes.rows} data-narrow={isNarrow}>
      {rows.map((row, index) => (
        <div key={row} className={classes.row} dir={isFromRight ? "rtl" : "ltr"}>
          {index === rows.length - 1 && script === "latin" ? (
            <Key
              label={t("keyboard.capitals")}
              pressed={isUpper}
              onPress={() => setUpper(!isUpper)}
            >
              <IconArrowBigUp size="1.375rem" aria-hidden="true" />
            </Key>
          ) : null}
          {[...row].map((letter) => (
            <Key
              key={letter}
              onPress={() => {
                insertText(typing.field, shown(letter));
                setUpper(false);
              }}
            >
              {shown(letter)}
            </Key>
          ))}
          {index === rows.length - 1 ? <EraseKey typing={typing} /> : null}
        </div>
      ))}
      <div className={classes.row} data-last>
        <HideKey />
        <Key onPress={() => setPage(page === "letters" ? "signs" : "letters")}>
          {page === "letters" ? signsKey : t("keyboard.letters")}
        </Key>
        {language === "ar" ? (
          <Key onPress={() => setScript(script === "arabic" ? "latin" : "arabic")}>
            {script === "arabic" ? "ABC" : t("keyboard.letters")}
          </Key>
        ) : null}
        <Key label={t("keyboard.space")} grow onPress={() => insertText(typing.field, " ")}>
          {""}
        </Key>
        <NextKey typing={typing} />
      </div>
    </div>
  );
}

function EraseKey({ typing }: { readonly typing: Typing }) {
  const { t } = useTranslation();
  return (
    <Key label={t("signIn.delete")} onPress={() => eraseText(typing.field)}>
      <IconBackspace size="1.375rem" aria-hidden="true" />
    </Key>
  );
}

function HideKey() {
  const { t } = useTranslation();
  return (
    <Key label={t("keyboard.hide")} onPress={stopTyping}>
      <IconKeyboardHide size="1.375rem" aria-hidden="true" />
    </Key>
  );
}

function NextKey({ typing }: { readonly typing: Typing }) {
  const { t } = useTranslation();
  const next = nextField(typing.field);
  return (
    <Key grow onPress={() => (next ? next.focus() : stopTyping())}>
      {t(next ? "keyboard.next" : "keyboard.done")}
    </Key>
  );
}

type Script = "latin" | "arabic";

function letterRows(language: Language, script: Script): readonly string[] {
  return [DIGITS, ...(script === "arabic" ? ARABIC : (LATIN[language] ?? QWERTY))];
}

function lettersInOrder(language: Language, script: Script): string {
  const [, ...rows] = letterRows(language, script);
  return [...rows.join("")].toSorted((a, b) => a.localeCompare(b, language)).join("");
}

function signRows(language: Language): readonly string[] {
  const accents = ACCENTS[language];
  return [DIGITS, ...SIGNS, ...(accents ? [accents] : [])];
}

/** The extra key of a numeric field: "+" for international numbers, "." for decimal fractions. */
function signOf(mode: string): string | undefined {
  return { tel: "+", decimal: "." }[mode];
}
