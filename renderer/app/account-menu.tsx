import { useMantineColorScheme } from "@mantine/core";
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
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useContext, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Language } from "../../server/contract/pos/setup.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { Dialog, useOpenDialog } from "../components/dialog/dialog.tsx";
import { KeyCap } from "../components/key-cap.tsx";
import { currentShiftQuery } from "../features/shift/api/shift-queries.ts";
import { isOfficeOnly } from "../lib/has-office.ts";
import { chooseLanguage, LANGUAGE_NAMES } from "../lib/i18n.ts";
import { initialsOf } from "../lib/initials.ts";
import { statusQuery } from "../lib/pos-queries.ts";
import { letGo } from "../lib/rest-focus.ts";
import { useFormat } from "../lib/use-format.ts";
import classes from "./account-menu.module.css";
import { CustomerDisplayContext } from "./customer-display-context.ts";

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
