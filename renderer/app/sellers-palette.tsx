import {
  IconBuildingStore,
  IconCalendarStats,
  IconCash,
  IconCashRegister,
  IconClockPause,
  IconDeviceTv,
  IconKeyboard,
  IconListCheck,
  IconLock,
  IconPrinter,
  IconSchool,
  IconStar,
  IconToggleRight,
  IconUsers,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type RefObject, useContext } from "react";
import { useTranslation } from "react-i18next";
import { FAMILIES, FAMILY_FACTS } from "../../server/contract/pos/families.ts";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { favouritesQuery } from "../features/counter/api/favourite-queries.ts";
import { paramOfFamily } from "../features/counter/families/family-address.ts";
import { PLUGINS, wishFor } from "../features/counter/families/index.ts";
import { Palette, type PaletteCommand } from "../features/search/components/palette.tsx";
import type { FoundBrand } from "../features/search/search-index.ts";
import { hasOffice } from "../lib/has-office.ts";
import { statusQuery } from "../lib/pos-queries.ts";
import { regionWords } from "../lib/region-words.ts";
import { useFormat } from "../lib/use-format.ts";
import { CustomerDisplayContext } from "./customer-display.tsx";
import { useSaleOpener } from "./use-sale-opener.ts";

export interface SellersPaletteProps extends PaletteActions {
  readonly session: PosSession;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly content: RefObject<HTMLDivElement | null>;
}

export function SellersPalette({
  session,
  opened,
  onClose,
  content,
  ...actions
}: SellersPaletteProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const { data: status } = useQuery(statusQuery());
  const commands = usePaletteCommands(session, actions);
  const openSale = useSaleOpener();

  function open({ productType, brandName, country, area }: FoundBrand) {
    const [region = ""] = area?.regions ?? [];
    const place = country ? format.country(country) : region && regionWords(region, t);
    const wish = wishFor(productType, { brandName, country, place });
    void navigate({ to: "/", search: { sell: paramOfFamily(productType), ...wish } });
  }

  return (
    <Palette
      opened={opened}
      onClose={onClose}
      content={content}
      commands={commands}
      homeCountry={status?.country ?? ""}
      currency={{ code: status?.currency ?? "", divisor: status?.currencyDivisor ?? 1 }}
      onBrand={open}
      onOffer={open}
      onSale={openSale}
      onNumber={(number) => void navigate({ to: "/", search: { sell: "topup", number } })}
    />
  );
}

interface PaletteActions {
  readonly onLock: () => void;
  readonly onDrawer: () => void;
  readonly onKeys: () => void;
  /** Undefined during training, which only the training banner ends. */
  readonly onTrain: (() => void) | undefined;
}

function usePaletteCommands(session: PosSession, actions: PaletteActions): PaletteCommand[] {
  const customers = useCustomerCommands();
  const families = useFamilyCommands();
  const screens = useScreenCommands();
  const office = useOfficeCommand();
  const ofOwner = useOwnerCommands();
  const printing = usePrintingCommand();
  const rest = useActionCommands(actions);
  return [
    ...customers,
    ...families,
    ...screens,
    ...(hasOffice(session) ? [office] : []),
    ...(session.staff.role === "owner" ? ofOwner : []),
    printing,
    ...rest,
  ];
}

function useCustomerCommands(): PaletteCommand[] {
  const navigate = useNavigate();
  const { data: favourites } = useQuery(favouritesQuery());
  return (favourites?.list ?? []).map(({ number, formatted, name }) => ({
    id: number,
    label: `${name} ${formatted}`,
    isCustomer: true,
    icon: <IconStar size="1.5rem" aria-hidden="true" />,
    run: () => void navigate({ to: "/", search: { sell: "topup", number } }),
  }));
}

function useFamilyCommands(): PaletteCommand[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return FAMILIES.map((family) => {
    const { Icon } = PLUGINS[family];
    const { key, sell } = FAMILY_FACTS[family];
    return {
      id: sell,
      label: t(`family.${family}.tab`),
      shortcut: key,
      icon: <Icon size="1.5rem" aria-hidden="true" />,
      run: () => void navigate({ to: "/", search: { sell } }),
    };
  });
}

function useScreenCommands(): PaletteCommand[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return [
    {
      id: "today",
      label: t("nav.today"),
      shortcut: "F6",
      icon: <IconCalendarStats size="1.5rem" aria-hidden="true" />,
      run: () => void navigate({ to: "/today" }),
    },
    {
      id: "shift",
      label: t("nav.shift"),
      shortcut: "F7",
      icon: <IconCash size="1.5rem" aria-hidden="true" />,
      run: () => void navigate({ to: "/shift" }),
    },
    {
      id: "held",
      label: t("counter.held.title"),
      shortcut: "Alt+H",
      icon: <IconClockPause size="1.5rem" aria-hidden="true" />,
      run: () => void navigate({ to: "/", search: { sell: "topup", held: true } }),
    },
  ];
}

function useOfficeCommand(): PaletteCommand {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return {
    id: "office",
    label: t("nav.office"),
    shortcut: "Alt+B",
    icon: <IconBuildingStore size="1.5rem" aria-hidden="true" />,
    run: () => void navigate({ to: "/office" }),
  };
}

function useOwnerCommands(): PaletteCommand[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return [
    {
      id: "staff",
      label: t("nav.staff"),
      shortcut: "F10",
      icon: <IconUsers size="1.5rem" aria-hidden="true" />,
      run: () => void navigate({ to: "/staff" }),
    },
    {
      id: "audit",
      label: t("audit.title"),
      icon: <IconListCheck size="1.5rem" aria-hidden="true" />,
      run: () => void navigate({ to: "/audit-trail" }),
    },
    {
      id: "live",
      label: t("nav.live"),
      shortcut: "Alt+T",
      icon: <IconToggleRight size="1.5rem" aria-hidden="true" />,
      run: () => void navigate({ to: "/office/$section", params: { section: "live" } }),
    },
  ];
}

function usePrintingCommand(): PaletteCommand {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return {
    id: "printing",
    label: t("nav.printing"),
    icon: <IconPrinter size="1.5rem" aria-hidden="true" />,
    run: () => void navigate({ to: "/printing" }),
  };
}

function useActionCommands(actions: PaletteActions): PaletteCommand[] {
  const { onLock, onDrawer, onKeys, onTrain } = actions;
  const { t } = useTranslation();
  const { openSettings } = useContext(CustomerDisplayContext);
  const train = onTrain && {
    id: "train",
    label: t("training.begin"),
    icon: <IconSchool size="1.5rem" aria-hidden="true" />,
    run: onTrain,
  };
  return [
    ...(train ? [train] : []),
    {
      id: "keys",
      label: t("keys.title"),
      icon: <IconKeyboard size="1.5rem" aria-hidden="true" />,
      run: onKeys,
    },
    {
      id: "display",
      label: t("display.dialog.title"),
      icon: <IconDeviceTv size="1.5rem" aria-hidden="true" />,
      run: openSettings,
    },
    {
      id: "drawer",
      label: t("shift.move.NO_SALE"),
      shortcut: "Alt+O",
      icon: <IconCashRegister size="1.5rem" aria-hidden="true" />,
      run: onDrawer,
    },
    {
      id: "lock",
      label: t("nav.lock"),
      shortcut: "F9",
      icon: <IconLock size="1.5rem" aria-hidden="true" />,
      run: onLock,
    },
  ];
}
