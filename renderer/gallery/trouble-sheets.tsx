import { Button, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApprovalTrouble } from "../components/approval-trouble.tsx";
import { Dialog } from "../components/dialog/dialog.tsx";
import { Flag } from "../components/flag.tsx";
import { ErrorNotice } from "../components/notice.tsx";
import { PinField } from "../components/pin-field.tsx";
import { QueryTrouble } from "../components/query-trouble.tsx";
import { WhatIsNewList } from "../components/what-is-new-list.tsx";
import { ApiError, UnreachableError } from "../lib/api-client.ts";
import { errorWords } from "../lib/error-words.ts";
import { typeLetters } from "../lib/typing-by-touch.ts";
import { useFormat } from "../lib/use-format.ts";
import { Panel, Sheet } from "./gallery-sheet.tsx";
import { minutesAway } from "./testing/sample-sales.ts";

const ROSA = { staffId: "s2", name: "Rosa", role: "owner" } as const;
const WRONG = new ApiError(401, "PIN_WRONG", "", { attemptsLeft: "3" });
const LOCKED = new ApiError(401, "PIN_LOCKED", "", { lockedUntil: minutesAway(5) });
const LOCK_OVER = new ApiError(401, "PIN_LOCKED", "", { lockedUntil: minutesAway(-5) });
const REFUSED = new ApiError(403, "FORBIDDEN", "", {});
const AWAY = new UnreachableError();

export function TroubleSheet() {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Sheet name="Troubles">
      {[REFUSED, AWAY].map((error) => (
        <Panel key={error.name}>
          <ErrorNotice words={errorWords(error, t, format)} />
        </Panel>
      ))}
      <Panel>
        <QueryTrouble query={{ data: undefined, error: null, failureReason: AWAY }} />
      </Panel>
      {[WRONG, LOCKED, LOCK_OVER, REFUSED].map((error) => (
        <Panel key={`${error.errorCode} ${error.fields.lockedUntil}`}>
          <ApprovalTrouble error={error} person={ROSA} />
        </Panel>
      ))}
    </Sheet>
  );
}

export function DialogSheet() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const title = t("approval.title");
  return (
    <Sheet name="Dialogs">
      <Button variant="default" onClick={() => setOpen(true)} data-opens="dialog">
        {title}
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={title} isInstant>
        <PinField label="PIN" />
      </Dialog>
      <TextInput ref={field} label={t("setup.shopName")} />
      <Button
        variant="default"
        onClick={() => field.current && typeLetters(field.current)}
        data-opens="keyboard"
      >
        {t("keyboard.name")}
      </Button>
      <Panel>
        <PinField label="PIN" />
        <PinField label="PIN" defaultValue="2583" error={t("setup.required")} />
      </Panel>
      {["GT", "ES", "NG", "XX"].map((country) => (
        <Flag key={country} country={country} />
      ))}
      <Panel>
        <WhatIsNewList
          versions={[
            { version: "0.2.0", sentences: [t("sale.reveal.hint"), t("sale.sendingHint")] },
            { version: "0.1.0", sentences: [t("sale.nothingCharged")] },
          ]}
        />
      </Panel>
    </Sheet>
  );
}
