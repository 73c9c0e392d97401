import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { deviceOperations } from "../../../../server/contract/pos/device-operations.ts";
import type { PosDevice } from "../../../../server/contract/pos/devices.ts";
import { ErrorNotice } from "../../../components/notice.tsx";
import { call } from "../../../lib/api-client.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { gatewayNow } from "../../../lib/gateway-clock.ts";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./devices-screen.module.css";
import { ShownCode } from "./shown-code.tsx";

const LONGEST_NAME = 40;

interface LetInProps {
  /** What is opened on the device; there is at least one. */
  readonly addresses: readonly string[];
  readonly list: readonly PosDevice[];
  readonly onAwait: (isAwaited: boolean) => void;
}

/** Makes a code for one device, and shows it until it was used or has ended. */
export function LetIn({ addresses, list, onAwait }: LetInProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState("");
  const address = addresses.find((one) => one === chosen) ?? addresses[0] ?? "";
  const make = useMutation({
    mutationFn: async () => {
      const { code, lastsS } = await call(deviceOperations.makeCode, { body: { name } });
      const before = new Set(list.map(({ deviceId }) => deviceId));
      // Said to end a second early rather than late.
      return { code, name: name.trim(), before, endsAt: gatewayNow() + (lastsS - 1) * 1000 };
    },
    onSuccess: () => {
      setName("");
      onAwait(true);
    },
  });
  return (
    <section className={classes.view} aria-labelledby={id}>
      <h2 id={id} className={classes.legend}>
        {t("office.devices.letIn")}
      </h2>
      <form
        className={classes.view}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== "") make.mutate();
        }}
      >
        <TextInput
          label={t("office.devices.name")}
          description={t("office.devices.nameHint")}
          maxLength={LONGEST_NAME}
          dir="auto"
          autoComplete="off"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <NativeSelect
          label={t("office.devices.address")}
          description={t("office.devices.addressHint")}
          dir="ltr"
          data={[...addresses]}
          value={address}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
        {make.error ? <ErrorNotice words={errorWords(make.error, t, format)} /> : null}
        <div className={classes.end}>
          <Button type="submit" loading={make.isPending} disabled={name.trim() === ""}>
            {t(make.data ? "office.devices.again" : "office.devices.make")}
          </Button>
        </div>
      </form>
      {make.data ? (
        <ShownCode
          key={make.data.code}
          made={make.data}
          address={address}
          list={list}
          onOver={() => onAwait(false)}
        />
      ) : null}
    </section>
  );
}
