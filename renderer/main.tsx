import "@mantine/core/styles.css";
import "./theme/fonts.css";
import "./theme/global.css";
import "./theme/shared.css";
import "./theme/tokens.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { AppGate } from "./app/app-gate.tsx";
import { fetchAhead } from "./app/fetch-ahead.ts";
import { LateCustomerDisplay } from "./app/late-parts.ts";
import { createQueryClient, Providers } from "./app/providers.tsx";
import { settleStorage } from "./lib/browser-storage.ts";
import { addLanguage, browserLanguage, findChosenLanguage, startI18n } from "./lib/i18n.ts";
import { followKeyHints, startsByTouch } from "./lib/key-hints.ts";
import { settleWindow } from "./lib/this-window.ts";
import { followTyping } from "./lib/typing-by-touch.ts";
import { loadFonts } from "./theme/load-fonts.ts";

settleStorage();
followKeyHints(document.documentElement, startsByTouch() ? "touch" : "keys");
followTyping();
const root = document.getElementById("root");
if (!root) {
  throw new Error("index.html has no element with the id root");
}
const language = findChosenLanguage() ?? browserLanguage();
await Promise.all([settleWindow(), loadFonts(), addLanguage(language)]);
startI18n(language);
const isDisplay = location.pathname === "/display";
createRoot(root).render(
  <StrictMode>
    <Providers queryClient={createQueryClient()}>
      {isDisplay ? <LateCustomerDisplay /> : <AppGate />}
    </Providers>
  </StrictMode>,
);
if (!isDisplay) void fetchAhead();
