import {
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
import { useContext } from "react";
import { useTranslation } from "react-i18next";
import { FAMILIES } from "../../server/contract/pos/families.ts";
import { favouritesQuery } from "../features/counter/api/favourite-queries.ts";
import { PLUGINS, paramOfFamily, wishFor } from "../features/counter/families/index.ts";
import { Palette, type PaletteCommand } from "../features/search/components/palette.tsx";
import type { FoundBrand } from "../features/search/search-index.ts";
import { newId } from "../lib/new-id.ts";
import { statusQuery } from "../lib/pos-queries.ts";
import { regionWords } from "../lib/region-words.ts";
import { useFormat } from "../lib/use-format.ts";
import { CustomerDisplayContext } from "./customer-display-context.ts";

interface CommandPaletteProps {
  readonly isOwner: boolean;
  readonly onLock: () => void;
  readonly onDrawer: () => void;
  readonly onKeys: () => void;
  /** Absent while training: the banner ends it. */
  readonly onTrain: (() => void) | undefined;
}

/** Ctrl+K from anywhere: what is found leads to the counter, with what is known typed already. */
export function CommandPalette(props: CommandPaletteProps) {
  const { isOwner, onLock, onDrawer, onKeys, onTrain } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const { data: status } = useQuery(statusQuery());
  const { data: favourites } = useQuery(favouritesQuery());
  const { openSettings } = useContext(CustomerDisplayContext);

  const customers: PaletteCommand[] = (favourites?.list ?? []).map(
    ({ number, formatted, name }) => ({
      id: number,
      label: `${name} ${formatted}`,
      isCustomer: true,
      icon: <IconStar size="1.5rem" aria-hidden="true" />,
      run: () => void navigate({ to: "/", search: { sell: "topup", number } }),
    }),
  );

  const places: PaletteCommand[] = [
    ...customers,
    ...FAMILIES.map((family) => {
      const { Icon, key, sell } = PLUGINS[family];
      return {
        id: sell,
        label: t(`nav.family.${family}`),
        shortcut: key,
        icon: <Icon size="1.5rem" aria-hidden="true" />,
        run: () => void navigate({ to: "/", search: { sell } }),
      };
    }),
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
    ...(isOwner
      ? [
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
            run: () => void navigate({ to: "/test-and-live" }),
          },
        ]
      : []),
    {
      id: "printing",
      label: t("nav.printing"),
      icon: <IconPrinter size="1.5rem" aria-hidden="true" />,
      run: () => void navigate({ to: "/printing" }),
    },
    ...(onTrain
      ? [
          {
            id: "train",
            label: t("training.begin"),
            icon: <IconSchool size="1.5rem" aria-hidden="true" />,
            run: onTrain,
          },
        ]
      : []),
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

  /** To the counter, with what is known of the brand typed into the first step of its family. */
  function open({ productType, brandName, country, area }: FoundBrand) {
    const [region = ""] = area?.regions ?? [];
    const place = country ? format.country(country) : region && regionWords(region, t);
    const wish = wishFor(productType, { brandName, country, place });
    void navigate({ to: "/", search: { sell: paramOfFamily(productType), ...wish } });
  }

  return (
    <Palette
      commands={places}
      homeCountry={status?.country ?? ""}
      currency={{ code: status?.currency ?? "", divisor: status?.currencyDivisor ?? 1 }}
      onBrand={open}
      onOffer={open}
      onSale={({ saleId, saleNumber, createdAt }) =>
        void navigate({
          to: "/today",
          // The list is of today: an older one is shown beside it.
          search: {
            sale: saleId,
            ...(Date.parse(createdAt) >= format.startOfDay(Date.now())
              ? { find: String(saleNumber) }
              : {}),
          },
          state: { visit: newId() },
        })
      }
      onNumber={(number) => void navigate({ to: "/", search: { sell: "topup", number } })}
    />
  );
}
