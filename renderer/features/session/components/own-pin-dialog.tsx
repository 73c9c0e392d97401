import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { ApprovalTrouble } from "../../../components/approval-trouble.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Form, FormButtons } from "../../../components/form.tsx";
import { LatePinField } from "../../../components/late-pin-field.ts";
import { ApiError } from "../../../lib/api-client.ts";
import { endKiosk } from "../../../lib/end-kiosk.ts";
import { type AskedPin, getAskedPin, subscribeAskedPin } from "../../../lib/own-pin.ts";
import { readPin, SHORTEST_PIN } from "../../../lib/pin.ts";
import { sessionQuery } from "../../../lib/pos-queries.ts";

const OF_THE_PIN = new Set(["PIN_WRONG", "PIN_LOCKED", "PIN_REQUIRED"]);

/** Dialog that opens when a request needs the signed-in person's PIN. */
export function OwnPin() {
  const asked = useSyncExternalStore(subscribeAskedPin, getAskedPin);
  // Locking the till cancels the request.
  useEffect(() => () => getAskedPin()?.cancel(), []);
  useEffect(
    () =>
      globalThis.window.tillgate?.onQuitAsked(() => {
        // Without a PIN, the kiosk mode does not end.
        endKiosk(true).catch(() => {});
      }),
    [],
  );
  return asked ? <OwnPinDialog asked={asked} /> : null;
}

function OwnPinDialog({ asked }: { readonly asked: AskedPin }) {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery());
  const [pin, setPin] = useState("");
  const confirm = useMutation({
    mutationFn: () => asked.send(pin),
    onSuccess: (answer) => asked.settle(Promise.resolve(answer)),
    onError: (error) => {
      setPin("");
      if (!(error instanceof ApiError && OF_THE_PIN.has(error.errorCode))) {
        asked.settle(Promise.reject(error));
      }
    },
  });
  return (
    <Dialog opened onClose={asked.cancel} title={t("ownPin.title")}>
      <Form
        className="stack gap-4"
        onSubmit={() => {
          if (pin.length >= SHORTEST_PIN && !confirm.isPending) {
            confirm.mutate();
          }
        }}
      >
        <p>{t("ownPin.why")}</p>
        <LatePinField
          data-autofocus
          autoFocus
          label={t("ownPin.pin")}
          autoComplete="off"
          value={pin}
          onChange={({ currentTarget }) => setPin(readPin(currentTarget.value))}
        />
        {confirm.error ? <ApprovalTrouble error={confirm.error} person={session?.staff} /> : null}
        <FormButtons
          onCancel={asked.cancel}
          loading={confirm.isPending}
          disabled={pin.length < SHORTEST_PIN}
        >
          {t("ownPin.submit")}
        </FormButtons>
      </Form>
    </Dialog>
  );
}
