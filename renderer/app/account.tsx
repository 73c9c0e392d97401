import { Button, useMantineColorScheme } from "@mantine/core";
import {
  IconDeviceTv,
  IconInfoCircle,
  IconKey,
  IconKeyboard,
  IconLanguage,
  IconLock,
  IconMoon,
  IconPrinter,
  IconSchool,
  IconUsers,
  type TablerIcon,
} from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useContext, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Language } from "../../server/contract/pos/setup.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { Dialog, useOpenDialog } from "../components/dialog/dialog.tsx";
import { KeyCap } from "../components/key-cap.tsx";
import { Notice } from "../components/notice.tsx";
import { reportActivity, signOut } from "../features/session/api/session-queries.ts";
import { currentShiftQuery } from "../features/shift/api/shift-queries.ts";
import { announce, useAnnounced } from "../lib/announcer.ts";
import { isOfficeOnly } from "../lib/has-office.ts";
import { chooseLanguage, LANGUAGE_NAMES } from "../lib/i18n.ts";
import { initialsOf } from "../lib/initials.ts";
import { sessionQuery, statusQuery } from "../lib/pos-queries.ts";
import { letGo } from "../lib/rest-focus.ts";
import { useFormat } from "../lib/use-format.ts";
import classes from "./account.module.css";
import { CustomerDisplayContext } from "./customer-display.tsx";

interface AccountMenuProps {
  readonly session: PosSession;
  readonly onLock: () => void;
  readonly onTrain: () => void;
  readonly onKeys: () => void;
  readonly onPin: () => void;
}

export function AccountMenu(props: AccountMenuProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [isAbout, setAbout] = useState(false);
  const { name } = props.session.staff;
  return (
    <div className={classes.account}>
      <button
        type="button"
        className={classes.person}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={t("account.title")}
        onClick={(event) => {
          // Removes the focus: otherwise the button would receive the keys meant for the dialog.
          letGo(event);
          setOpen(!isOpen);
        }}
      >
        <Avatar name={name} />
        <span className={classes.name}>
          <span className="spoken">{t("account.label")} </span>
          <bdi>{name}</bdi>
        </span>
        <KeyCap>F9</KeyCap>
      </button>
      {isOpen ? (
        <Panel {...props} onClose={() => setOpen(false)} onAbout={() => setAbout(true)} />
      ) : null}
      {isAbout ? <About onClose={() => setAbout(false)} /> : null}
    </div>
  );
}

function Avatar({ name }: { readonly name: string }) {
  return (
    <span className={classes.avatar} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

interface PanelProps extends AccountMenuProps {
  readonly onClose: () => void;
  readonly onAbout: () => void;
}

function Panel({ onClose, onAbout, ...props }: PanelProps) {
  const { session, onLock, onTrain, onKeys, onPin } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { openSettings } = useContext(CustomerDisplayContext);
  const content = useRef<HTMLDivElement>(null);
  useOpenDialog(true, onClose, content);
  const isSeller = !isOfficeOnly(session);
  const closing = (act: () => void) => () => {
    onClose();
    act();
  };
  return (
    <>
      <div className={classes.around} aria-hidden="true" onPointerDown={onClose} />
      <div ref={content} className={classes.panel} role="dialog" aria-label={t("account.title")}>
        <Who session={session} />
        <Item Icon={IconLock} shortcut="F9" onPress={closing(onLock)}>
          {t("nav.lock")}
        </Item>
        <Item Icon={IconUsers} onPress={closing(onLock)}>
          {t("account.switch")}
        </Item>
        <hr className={classes.rule} />
        <LanguageChoice />
        <ThemeChoice />
        {isSeller ? (
          <Item
            Icon={IconSchool}
            value={t(session.training ? "account.on" : "account.off")}
            onPress={closing(onTrain)}
          >
            {t("training.begin")}
          </Item>
        ) : null}
        <hr className={classes.rule} />
        {isSeller ? (
          <>
            <Item Icon={IconPrinter} onPress={closing(() => void navigate({ to: "/printing" }))}>
              {t("nav.printing")}
            </Item>
            <Item Icon={IconDeviceTv} onPress={closing(openSettings)}>
              {t("display.dialog.title")}
            </Item>
          </>
        ) : null}
        <Item Icon={IconKey} onPress={closing(onPin)}>
          {t("choosePin.change")}
        </Item>
        {isSeller ? (
          <Item Icon={IconKeyboard} onPress={closing(onKeys)}>
            {t("keys.title")}
          </Item>
        ) : null}
        <Item Icon={IconInfoCircle} onPress={closing(onAbout)}>
          {t("account.about")}
        </Item>
      </div>
    </>
  );
}

function Who({ session: { staff } }: Pick<AccountMenuProps, "session">) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(currentShiftQuery());
  const role = t(`role.${staff.role}`);
  const since = data?.shift?.openedAt;
  return (
    <div className={classes.who}>
      <Avatar name={staff.name} />
      <span>
        <strong>
          <bdi>{staff.name}</bdi>
        </strong>
        <span className="block faint size-caption">
          {since === undefined
            ? role
            : t("account.shiftSince", { role, time: format.moment(since) })}
        </span>
      </span>
    </div>
  );
}

interface ItemProps {
  readonly Icon: TablerIcon;
  readonly value?: string;
  readonly shortcut?: string;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

function Item({ Icon, value, shortcut, onPress, children }: ItemProps) {
  return (
    <button type="button" className={classes.item} onClick={onPress}>
      <Icon size="1.25rem" aria-hidden="true" />
      <span>{children}</span>
      {value === undefined ? null : (
        <span className="push-end faint size-caption regular">{value}</span>
      )}
      {shortcut === undefined ? null : <KeyCap>{shortcut}</KeyCap>}
    </button>
  );
}

function LanguageChoice() {
  const { t, i18n } = useTranslation();
  return (
    <Choice
      Icon={IconLanguage}
      label={t("app.language")}
      value={i18n.language}
      options={Object.entries(LANGUAGE_NAMES)}
      onChoose={(language) => chooseLanguage(language as Language)}
    />
  );
}

const THEMES = ["auto", "light", "dark"] as const;

function ThemeChoice() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Choice
      Icon={IconMoon}
      label={t("app.theme.label")}
      value={colorScheme}
      options={THEMES.map((theme) => [theme, t(`app.theme.${theme}`)])}
      onChoose={(theme) => setColorScheme(theme as (typeof THEMES)[number])}
    />
  );
}

interface ChoiceProps {
  readonly Icon: TablerIcon;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ Icon, label, value, options, onChoose }: ChoiceProps) {
  return (
    <label className={classes.item}>
      <Icon size="1.25rem" aria-hidden="true" />
      <span>{label}</span>
      <select
        className={classes.select}
        value={value}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

function About({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { data: status } = useQuery(statusQuery());
  return (
    <Dialog opened onClose={onClose} title={t("account.about")}>
      <p>{t("account.version", { version: status?.version ?? "" })}</p>
      <p>{t("account.licence")}</p>
    </Dialog>
  );
}

export function OfficeAccount({ onLock }: { readonly onLock: () => void }) {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery());
  return (
    <Button
      variant="subtle"
      fullWidth
      justify="flex-start"
      leftSection={<IconLock size="1.125rem" aria-hidden="true" />}
      onClick={onLock}
    >
      {t("nav.lock")} · {session?.staff.name}
    </Button>
  );
}

/** Locks the screen at once. Notifies the gateway when the gateway is reachable. */
export function useLock() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (reason: "idle" | undefined) => signOut(reason),
    onMutate: (reason) => {
      queryClient.setQueryData(sessionQuery().queryKey, null);
      announce(t(reason === "idle" ? "app.idle.locked" : "app.locked"), "assertive");
    },
  });
}

const MINUTE_MS = 60_000;
/** Interval of activity reports. The gateway tolerates slightly later reports. */
const REPORT_EVERY_MS = 20_000;
/** Time between the warning and the lock. */
const WARNING_MS = 20_000;
const SECOND_MS = 1000;
/** Storage key of the time of the last input, which all windows of this device share. */
const TOUCHED_KEY = "tillgate.touched";
const TOUCHES = ["keydown", "pointerdown", "pointermove", "wheel"] as const;
/** Keys that only dismiss the warning: they must not pay a sale or leave a screen. */
const DECIDING = new Set(["Enter", " ", "Escape", "Delete", "Backspace"]);

/**
 * Locks a till after `minutes` without input; 0 turns the lock off. A till in use reports its
 * activity to the gateway, which ends the session when the reports stop. During the warning, any
 * key keeps the till open, and Enter has no other effect.
 * @returns seconds until the lock; undefined except during the warning
 */
export function useIdleLock(minutes: number, onIdle: () => void): number | undefined {
  const lock = useEffectEvent(onIdle);
  const [secondsLeft, setSecondsLeft] = useState<number>();
  useEffect(() => {
    if (minutes === 0) {
      return undefined;
    }
    const idleMs = minutes * MINUTE_MS;
    let touchedAt = Date.now();
    let reportedAt = 0;
    let isWarning = false;
    let timer: ReturnType<typeof setTimeout>;

    function warn(left: number | undefined) {
      isWarning = left !== undefined;
      setSecondsLeft(left === undefined ? undefined : Math.ceil(left / SECOND_MS));
    }

    function look() {
      const left = Math.max(touchedAt, readTouch()) + idleMs - Date.now();
      if (left <= 0) {
        warn(undefined);
        lock();
        return;
      }
      // Ends the warning if another window has received input.
      warn(left > WARNING_MS ? undefined : left);
      timer = setTimeout(look, left > WARNING_MS ? left - WARNING_MS : Math.min(left, SECOND_MS));
    }

    function touch(event: Event) {
      const now = Date.now();
      // Locks at once after the machine slept, because its timers fire late and another person may
      // have woken it.
      if (now - Math.max(touchedAt, readTouch()) >= idleMs) {
        lock();
        return;
      }
      touchedAt = now;
      if (isWarning) {
        warn(undefined);
        clearTimeout(timer);
        timer = setTimeout(look, idleMs - WARNING_MS);
        if (event instanceof KeyboardEvent && DECIDING.has(event.key)) {
          event.preventDefault();
          event.stopImmediatePropagation();
        }
      }
      if (now - reportedAt >= REPORT_EVERY_MS) {
        reportedAt = now;
        localStorage.setItem(TOUCHED_KEY, String(now));
        // After a failed report, the next input sends a report.
        reportActivity().catch(() => {
          reportedAt = 0;
        });
      }
    }

    timer = setTimeout(look, idleMs - WARNING_MS);
    for (const name of TOUCHES) {
      globalThis.addEventListener(name, touch, { capture: true, passive: name !== "keydown" });
    }
    return () => {
      clearTimeout(timer);
      setSecondsLeft(undefined);
      for (const name of TOUCHES) {
        globalThis.removeEventListener(name, touch, { capture: true });
      }
    };
  }, [minutes]);
  return secondsLeft;
}

function readTouch(): number {
  return Number(localStorage.getItem(TOUCHED_KEY) ?? 0) || 0;
}

export function IdleWarning({ secondsLeft }: { readonly secondsLeft: number | undefined }) {
  const { t } = useTranslation();
  const isOn = secondsLeft !== undefined;
  // Announces the warning once: announcing each second would interrupt the previous announcement.
  useAnnounced(isOn ? t("app.idle.warning", { count: WARNING_MS / 1000 }) : undefined, {
    urgency: "assertive",
  });
  return isOn ? (
    <div className={classes.warning}>
      <Notice tone="wait">
        <strong>{t("app.idle.warning", { count: secondsLeft })}</strong>
      </Notice>
    </div>
  ) : null;
}
