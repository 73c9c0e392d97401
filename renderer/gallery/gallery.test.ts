import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const RENDERER = join(import.meta.dirname, "..");

const NOT_SHOWN: Readonly<Record<string, string>> = {
  AwaitedDetails: "is the room of DeliveredDetails without its words",
  AwaitedList: "is Skeleton, ErrorNotice or its entries",
  AwaitedScreen: "is ErrorNotice or Notice in the place of a screen that cannot be loaded",
  BackButton: "is a button of the gallery with an arrow",
  BackupFaultText: "is text",
  ClearableSelect: "is a select of the gallery with a button that takes the choice back",
  EarlyText: "draws nothing",
  SpokenTitle: "is read out and never seen",
  Announcer: "is read out and never seen",
  DialogLayer: "is how Dialog is drawn",
  Form: "is a form element that draws nothing",
  FormButtons: "is two buttons of the gallery at the end of a form",
  FormEnd: "is Trouble or Notice over a button of the gallery",
  LanguageField: "is a select of the gallery with the languages",
  Loading: "is Skeleton in the heights of its content",
  MoreButton: "is a button of the gallery that asks the gateway for the next page",
  OfficeScreen:
    "is the frame of each page of the back office, and asks the gateway where the shop sells",
  RechargeRefused: "is Trouble with a button, for a recharge that the gateway asks about",
  RecoverySheet: "makes its words at the gateway, once",
  ScreenKeyboard: "stands at the end of every page; a button of the gallery brings it up",
  Trouble: "is ErrorNotice, if there is an error",
};

function sources(pattern: string): string[] {
  return globSync(pattern, { cwd: RENDERER })
    .filter((file) => !file.includes(".test."))
    .map((file) => readFileSync(join(RENDERER, file), "utf8"));
}

const components = sources("components/**/*.tsx").flatMap((source) =>
  Array.from(source.matchAll(/^export function ([A-Z]\w+)/gm), ([, name = ""]) => name),
);
const gallery = sources("gallery/*.tsx").join("\n");

function isShown(name: string): boolean {
  return new RegExp(`<${name}\\b`).test(gallery);
}

it("the gallery shows every shared component that is not listed with a reason", () => {
  expect(components.length).toBeGreaterThan(30);
  const missing = components.filter((name) => !isShown(name) && !(name in NOT_SHOWN));
  expect(missing).toEqual([]);
});

it("the list of omitted components contains only existing components that the gallery does not show", () => {
  const needless = Object.keys(NOT_SHOWN).filter(
    (name) => isShown(name) || !components.includes(name),
  );
  expect(needless).toEqual([]);
});

it("the gallery shows every sheet", () => {
  const sheets = Array.from(
    gallery.matchAll(/^export function (\w+Sheet)\b/gm),
    ([, name]) => name,
  );
  expect(sheets.length).toBeGreaterThan(7);
  const page = readFileSync(join(RENDERER, "gallery/gallery.tsx"), "utf8");
  expect(sheets.filter((name) => !page.includes(`<${name} />`))).toEqual([]);
});
