/**
 * Every shared component in its states, for developers: `/gallery.html` of the development server,
 * in any theme and language. Builds of the till do not contain the gallery.
 */
import "@mantine/core/styles.css";
import "../theme/fonts.css";
import "../theme/global.css";
import "../theme/shared.css";
import "../theme/tokens.css";
import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient, Providers } from "../app/providers.tsx";
import { ThemeToggle } from "../components/theme-toggle.tsx";
import { BrandFacesContext } from "../lib/brand-faces.ts";
import {
  addLanguage,
  addOfficeWords,
  chooseLanguage,
  isLanguage,
  LANGUAGE_NAMES,
  startI18n,
} from "../lib/i18n.ts";
import { ShopCurrencyContext } from "../lib/use-format.ts";
import { officeWordsIn } from "../locales/office-words.ts";
import { loadFonts } from "../theme/load-fonts.ts";
import {
  ButtonSheet,
  ColorSheet,
  FaceSheet,
  GlyphSheet,
  OfficeSheet,
  StateSheet,
  SurfaceSheet,
  TypeSheet,
} from "./component-sheets.tsx";
import classes from "./gallery.module.css";
import {
  AfterSaleSheet,
  DeliverySheet,
  DialogSheet,
  ResultSheet,
  SaleSheet,
  SendingSheet,
  TroubleSheet,
} from "./sale-sheets.tsx";
import { answerFromSamples } from "./testing/sample-answers.ts";

const LANGUAGES = Object.entries(LANGUAGE_NAMES).map(([value, label]) => ({ value, label }));
const FACES = { factsOf: () => undefined, home: "GT" };

function Gallery() {
  const [language, setLanguage] = useState("en");
  return (
    <main className={classes.gallery} data-gallery>
      <header className={classes.head}>
        <h1>Tillgate</h1>
        <SegmentedControl
          aria-label="Language"
          data={LANGUAGES}
          value={language}
          onChange={(chosen) => {
            if (isLanguage(chosen)) {
              setLanguage(chosen);
              chooseLanguage(chosen);
            }
          }}
        />
        <ThemeToggle />
      </header>
      <ColorSheet />
      <TypeSheet />
      <ButtonSheet />
      <SurfaceSheet />
      <GlyphSheet />
      <FaceSheet />
      <StateSheet />
      <TroubleSheet />
      <DialogSheet />
      <SaleSheet />
      <ResultSheet />
      <DeliverySheet />
      <AfterSaleSheet />
      <SendingSheet />
      <OfficeSheet />
    </main>
  );
}

const root = document.getElementById("root");
if (!root) {
  throw new Error("gallery.html has no element with the id root");
}
// Loads all texts and fonts before the first paint, so that a change of language moves nothing.
await Promise.all([loadFonts(), ...Object.keys(LANGUAGE_NAMES).map(addLanguage)]);
await document.fonts.ready;
startI18n("en");
addOfficeWords(officeWordsIn);
answerFromSamples();
createRoot(root).render(
  <Providers queryClient={createQueryClient()}>
    <ShopCurrencyContext value="GTQ">
      <BrandFacesContext value={FACES}>
        <Gallery />
      </BrandFacesContext>
    </ShopCurrencyContext>
  </Providers>,
);
