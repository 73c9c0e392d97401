import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Fragment, useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  deviceOperations,
  type PosDevice,
  type PosDevices,
} from "../../../../server/contract/pos/devices.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Form, FormEnd } from "../../../components/form.tsx";
import classes from "../../../components/form-page.module.css";
import { Loading } from "../../../components/loading.tsx";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { QrCode } from "../../../components/qr-code.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { call } from "../../../lib/api-client.ts";
import { gatewayNow, useNow } from "../../../lib/gateway-clock.ts";
import { invalidateAnswers, operationQuery } from "../../../lib/operation-query.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { formatCountdown } from "../../../lib/time-format.ts";
import { useFormat } from "../../../lib/use-format.ts";
import ownClasses from "./devices-screen.module.css";

const WHILE_AWAITED_MS = 2_000;
const WHILE_SHOWN_MS = 30_000;

/** @param isAwaited true while a device is about to enroll, which needs faster polling */
function devicesQuery(isAwaited: boolean) {
  return {
    ...operationQuery(deviceOperations.list),
    refetchInterval: isAwaited ? WHILE_AWAITED_MS : WHILE_SHOWN_MS,
  };
}

const LONGEST_NAME = 40;

const STEPS = ["open", "compare", "close"] as const;
const SYSTEMS = ["windows", "macos", "android", "ios", "firefox"] as const;

/** Example address from the manual. */
const LISTEN = "0.0.0.0:7444";

interface DevicesScreenProps {
  readonly onFirewall: () => void;
}

export function DevicesScreen({ onFirewall }: DevicesScreenProps) {
  const { t } = useTranslation();
  const [isAwaited, setAwaited] = useState(false);
  const devices = useQuery(devicesQuery(isAwaited));
  const isPending = !devices.data && !troubleOf(devices);
  return (
    <OfficeScreen title={t("office.frame.section.devices")} isSheet>
      <p className="soft">{t("office.devices.lead")}</p>
      <QueryTrouble query={devices} />
      {isPending ? <Loading heights={["9rem"]} /> : null}
      {devices.data ? (
        <Shown devices={devices.data} onAwait={setAwaited} onFirewall={onFirewall} />
      ) : null}
    </OfficeScreen>
  );
}

interface ShownProps extends DevicesScreenProps {
  readonly devices: PosDevices;
  readonly onAwait: (isAwaited: boolean) => void;
}

function Shown({ devices: { list, entrance }, onAwait, onFirewall }: ShownProps) {
  return (
    <>
      {entrance ? (
        <LetIn addresses={entrance.addresses} list={list} onAwait={onAwait} />
      ) : (
        <ClosedNotice />
      )}
      {/* An enrolment removes the code above. A new key mounts the rest anew instead of moving it. */}
      <Fragment key={list.length}>
        <DeviceList list={list} />
        {entrance ? <TrustHelp authority={entrance.authority} onFirewall={onFirewall} /> : null}
      </Fragment>
    </>
  );
}

/** Shown if the gateway has no listener for other devices. */
function ClosedNotice() {
  const { t } = useTranslation();
  return (
    <section className={classes.view}>
      <Notice tone="wait">
        <strong>{t("office.devices.closed.title")}</strong>
        <p>{t("office.devices.closed.body")}</p>
      </Notice>
      <code className={classes.secret} dir="ltr">
        --till-listen {LISTEN}
      </code>
      <p className="soft">{t("office.devices.closed.setting")}</p>
      <code className={classes.secret} dir="ltr">
        TILLGATE_TILL_LISTEN={LISTEN}
      </code>
    </section>
  );
}

/** Removed devices are last. */
function DeviceList({ list }: { readonly list: readonly PosDevice[] }) {
  const { t } = useTranslation();
  const [toRevoke, setToRevoke] = useState<PosDevice>();
  const isRevoked = ({ revokedAt }: PosDevice) => revokedAt !== undefined;
  const ordered = list.toSorted((a, b) => Number(isRevoked(a)) - Number(isRevoked(b)));
  return (
    <section className={classes.view}>
      <h2 className="size-label strong">{t("office.devices.list")}</h2>
      {list.length === 0 ? (
        <div>
          <p className="strong">{t("office.devices.none.title")}</p>
          <p className="soft">{t("office.devices.none.body")}</p>
        </div>
      ) : (
        <ul className={classes.rows} aria-label={t("office.devices.list")}>
          {ordered.map((device) => (
            <DeviceRow key={device.deviceId} of={device} onRevoke={() => setToRevoke(device)} />
          ))}
        </ul>
      )}
      {toRevoke ? <RevokeDialog of={toRevoke} onClose={() => setToRevoke(undefined)} /> : null}
    </section>
  );
}

function DeviceRow({ of, onRevoke }: { readonly of: PosDevice; readonly onRevoke: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, enrolledAt, seenAt, address, revokedAt, isHere } = of;
  // Isolated, so that the address does not reorder a right-to-left sentence.
  const seen = { time: format.moment(seenAt), address: `\u2068${address}\u2069` };
  return (
    <li className={classes.row} data-over={revokedAt !== undefined}>
      <span className={classes.who}>
        <span className="strong">
          <bdi>{name}</bdi>
          {isHere ? ` · ${t("office.devices.here")}` : null}
        </span>
        <span className="soft size-caption">{t("office.devices.seen", seen)}</span>
        <span className="soft size-caption">
          {revokedAt === undefined
            ? t("office.devices.since", { time: format.moment(enrolledAt) })
            : t("office.devices.revokedAt", { time: format.moment(revokedAt) })}
        </span>
      </span>
      {revokedAt === undefined ? (
        <Button
          variant="default"
          aria-label={t("office.devices.revokeFor", { name })}
          onClick={onRevoke}
        >
          {t("office.devices.revoke")}
        </Button>
      ) : null}
    </li>
  );
}

function RevokeDialog({ of, onClose }: { readonly of: PosDevice; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { name, deviceId, isHere } = of;
  const revoke = useMutation({
    mutationFn: () => call(deviceOperations.revoke, { params: { deviceId } }),
    onSuccess: async () => {
      await invalidateAnswers(queryClient, [deviceOperations.list]);
      onClose();
    },
  });
  return (
    <Dialog opened onClose={onClose} title={t("office.devices.revokeFor", { name })}>
      <div className={classes.view}>
        <p>{t("office.devices.ask", { name })}</p>
        {isHere ? <p className="strong">{t("office.devices.askHere")}</p> : null}
        <Trouble error={revoke.error} />
        <div className="flex justify-end gap-3">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button variant="danger" loading={revoke.isPending} onClick={() => revoke.mutate()}>
            {t("office.devices.revoke")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface TrustHelpProps {
  /**
   * SHA-256 of the certificate authority that devices must trust. Undefined if devices already
   * trust it.
   */
  readonly authority: string | undefined;
  readonly onFirewall: () => void;
}

function TrustHelp({ authority, onFirewall }: TrustHelpProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section className={classes.view} aria-labelledby={id}>
      <h2 id={id} className="size-label strong">
        {t("office.devices.trust.title")}
      </h2>
      {authority === undefined ? (
        <p>{t("office.devices.trust.own")}</p>
      ) : (
        <Steps authority={authority} />
      )}
      <p className="soft">{t("office.devices.moved")}</p>
      <div>
        <Button variant="default" onClick={onFirewall}>
          {t("office.devices.firewall")}
        </Button>
      </div>
    </section>
  );
}

function Steps({ authority }: { readonly authority: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Notice tone="info">{t("office.devices.trust.why")}</Notice>
      <ol className={ownClasses.steps}>
        {STEPS.map((step) => (
          <li key={step}>{t(`office.devices.trust.steps.${step}`)}</li>
        ))}
      </ol>
      <h3 className="strong">{t("office.devices.trust.sha")}</h3>
      <code className={classes.secret} dir="ltr">
        {authority}
      </code>
      <h3 className="strong">{t("office.devices.trust.how")}</h3>
      <dl className={classes.rows}>
        {SYSTEMS.map((system) => (
          <div key={system}>
            <dt className="strong">{t(`office.devices.trust.on.${system}`)}</dt>
            <dd>{t(`office.devices.trust.do.${system}`)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

interface LetInProps {
  /** At least one address. */
  readonly addresses: readonly string[];
  readonly list: readonly PosDevice[];
  readonly onAwait: (isAwaited: boolean) => void;
}

function LetIn({ addresses, list, onAwait }: LetInProps) {
  const { t } = useTranslation();
  const id = useId();
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState("");
  const address = addresses.find((one) => one === chosen) ?? addresses[0] ?? "";
  const make = useMutation({
    mutationFn: async () => {
      const { code, lastsS } = await call(deviceOperations.makeCode, { body: { name } });
      const before = new Set(list.map(({ deviceId }) => deviceId));
      // One second shorter than the code's validity, so that no expired code is visible.
      return { code, name: name.trim(), before, endsAt: gatewayNow() + (lastsS - 1) * 1000 };
    },
    onSuccess: () => {
      setName("");
      onAwait(true);
    },
  });
  return (
    <section className={classes.view} aria-labelledby={id}>
      <h2 id={id} className="size-label strong">
        {t("office.devices.letIn")}
      </h2>
      <Form
        className={classes.view}
        onSubmit={() => {
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
        <FormEnd save={make} disabled={name.trim() === ""}>
          {t(make.data ? "office.devices.again" : "office.devices.make")}
        </FormEnd>
      </Form>
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

interface ShownCodeProps {
  readonly made: {
    readonly code: string;
    readonly name: string;
    readonly before: ReadonlySet<string>;
    /** Time by the gateway's clock, in ms since the epoch. */
    readonly endsAt: number;
  };
  readonly address: string;
  readonly list: readonly PosDevice[];
  readonly onOver: () => void;
}

function ShownCode({ made, address, list, onOver }: ShownCodeProps) {
  const { t } = useTranslation();
  const { code, name, before, endsAt } = made;
  const isUsed = list.some((one) => one.name === name && !before.has(one.deviceId));
  const left = endsAt - useNow(1000, !isUsed);
  const isOver = isUsed || left <= 0;
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);
  if (isUsed) {
    return (
      <Notice tone="info" loud>
        {t("office.devices.code.done", { name })}
      </Notice>
    );
  }
  if (isOver) {
    return (
      <Notice tone="wait" loud>
        {t("office.devices.code.over")}
      </Notice>
    );
  }
  const page = `${address}/enrol`;
  return (
    <div className={classes.row}>
      {/* Browsers do not send the part after the # to a server. The page on the device reads that
          part. */}
      <QrCode
        content={`${page}#${code}`}
        label={t("office.devices.code.qr")}
        className={classes.qr}
      />
      <div className={classes.who}>
        <p>{t("office.devices.code.scan")}</p>
        <code className={classes.secret} dir="ltr">
          {address}
        </code>
        <p className={ownClasses.letters} role="status" aria-label={t("office.devices.code.label")}>
          <bdi dir="ltr" data-secret>
            {code}
          </bdi>
        </p>
        <p className="soft" role="timer">
          {t("office.devices.code.left", { time: `\u2068${formatCountdown(left)}\u2069` })}
        </p>
      </div>
    </div>
  );
}
