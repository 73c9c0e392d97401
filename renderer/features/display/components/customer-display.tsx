import { Button, TextInput } from "@mantine/core";
import {
  IconCashBanknote,
  IconCheck,
  IconCircleCheck,
  IconDeviceDesktopOff,
  IconX,
} from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type DisplayLine,
  type DisplayView,
  displayOperations,
  type NumberAsk,
  type Said,
} from "../../../../server/contract/pos/displays.ts";
import { BrandFace } from "../../../components/brand-face.tsx";
import { Flag } from "../../../components/flag.tsx";
import { OutcomeBadge } from "../../../components/outcome-badge.tsx";
import { QrCode } from "../../../components/qr-code.tsx";
import { call, openStream } from "../../../lib/api-client.ts";
import { speak } from "../../../lib/i18n.ts";
import { kindWords } from "../../../lib/kind-words.ts";
import { logoAddress } from "../../../lib/logo-address.ts";
import { statusQuery } from "../../../lib/pos-queries.ts";
import { regionWords } from "../../../lib/region-words.ts";
import { ShopCurrencyContext, useFormat } from "../../../lib/use-format.ts";
import { useTitle } from "../../../lib/use-title.ts";
import { readDisplayCode } from "../display-code.ts";
import classes from "./customer-display.module.css";
import numberQuestionClasses from "./number-question.module.css";

const AGAIN_MS = 3_000;

interface Watched {
  readonly view: DisplayView | undefined;
  /** True without data: the till has stopped, is restarting, or has another code. */
  readonly isAway: boolean;
}

function useDisplayView(code: string): Watched {
  const [watched, setWatched] = useState<Watched>({ view: undefined, isAway: false });
  useEffect(() => {
    let source: EventSource | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    function open() {
      const stream = openStream(displayOperations.watch, { params: { code } });
      source = stream.source;
      stream.listen("view", (view) => setWatched({ view, isAway: false }));
      source.addEventListener("error", () => {
        // The customer must not see content that may be outdated.
        setWatched({ view: undefined, isAway: true });
        source?.close();
        again = setTimeout(open, AGAIN_MS);
      });
    }
    open();
    return () => {
      clearTimeout(again);
      source?.close();
    };
  }, [code]);
  return watched;
}

/** The address contains the display's code after the "#". */
export function CustomerDisplay() {
  useTitle(useTranslation().t("display.dialog.title"));
  const [code, setCode] = useState(() => readDisplayCode(location.hash));
  useEffect(() => {
    const follow = () => setCode(readDisplayCode(location.hash));
    globalThis.addEventListener("hashchange", follow);
    return () => globalThis.removeEventListener("hashchange", follow);
  }, []);
  return (
    <div className={classes.display}>
      {code ? <Watching key={code} code={code} /> : <CodeEntry />}
    </div>
  );
}

function Watching({ code }: { readonly code: string }) {
  const { t, i18n } = useTranslation();
  const { view, isAway } = useDisplayView(code);
  const language = view?.language;
  useEffect(() => {
    if (language && language !== i18n.language) {
      void speak(language);
    }
  }, [language, i18n]);
  if (!view) {
    return (
      <main className={classes.quiet} aria-live="polite">
        {isAway ? (
          <>
            <IconDeviceDesktopOff size="4rem" stroke={1.4} aria-hidden="true" />
            <p className={classes.calm}>{t("display.away")}</p>
          </>
        ) : null}
      </main>
    );
  }
  return (
    <ShopCurrencyContext value={view.currency}>
      {view.training || view.test ? (
        <header className={classes.mode} data-training={view.training}>
          {t(view.training ? "display.training" : "header.testMode")}
        </header>
      ) : null}
      <Side code={code} view={view} />
    </ShopCurrencyContext>
  );
}

function Side({ code, view }: { readonly code: string; readonly view: DisplayView }) {
  if (view.ask) {
    const { transactionId, number } = view.ask;
    return <NumberQuestion key={`${transactionId} ${number}`} code={code} ask={view.ask} />;
  }
  if (view.receiptLink !== undefined) {
    return <ReceiptCode link={view.receiptLink} />;
  }
  return view.phase === "IDLE" ? <Welcome shopName={view.shopName} /> : <Shown view={view} />;
}

function ReceiptCode({ link }: { readonly link: string }) {
  const { t } = useTranslation();
  return (
    <main className={classes.quiet}>
      <h1 className={classes.calm}>{t("display.receipt")}</h1>
      <QrCode content={link} label={t("display.receipt")} className={classes.receiptCode} />
    </main>
  );
}

function Welcome({ shopName }: { readonly shopName: string }) {
  const { t } = useTranslation();
  const logo = useQuery(statusQuery()).data?.logo;
  return (
    <main className={classes.quiet}>
      {logo ? <img className={classes.logo} src={logoAddress(logo.digest)} alt="" /> : null}
      <h1 className={classes.shop}>{shopName}</h1>
      <p className={classes.calm}>{t("display.welcome")}</p>
    </main>
  );
}

function Shown({ view }: { readonly view: DisplayView }) {
  const { t } = useTranslation();
  const { phase, lines } = view;
  const isAllBack = lines.every(({ outcome }) => outcome === "NOT_DELIVERED");
  const list = useRef<HTMLUListElement>(null);
  const { tendered } = view;
  // Scrolls to the latest line, because customers cannot.
  useLayoutEffect(() => {
    if (lines.length > 1 && (phase === "BASKET" || phase === "CONFIRM")) {
      list.current?.lastElementChild?.scrollIntoView?.({
        // The cash amount needs space below the list.
        block: tendered === undefined ? "nearest" : "end",
      });
    }
  }, [lines.length, phase, tendered]);
  return (
    <main className={classes.shown} aria-live="polite">
      <h1 className={classes.heading}>
        {isAllBack
          ? t("display.notDelivered")
          : t(`display.phase.${phase as Exclude<typeof phase, "IDLE">}`)}
      </h1>
      <ul ref={list} className={classes.lines} data-many={lines.length > 1}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines are shown, never moved
          <Line key={index} line={line} view={view} />
        ))}
      </ul>
      <Sum view={view} />
    </main>
  );
}

function Line({ line, view }: { readonly line: DisplayLine; readonly view: DisplayView }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { sendCurrency, sendCurrencyDivisor = 1, send } = line;
  // The price of a single item is shown once, as the total.
  const isTotal = view.lines.length === 1 && line.price === view.total;
  return (
    <li className={classes.line}>
      <p className={classes.recipient}>
        <bdi>{line.recipient}</bdi>
      </p>
      <p className={classes.product}>
        <BrandFace
          brand=""
          name={line.brandName}
          color={line.brandColor}
          facts={line.glyph && { glyph: line.glyph, ...(line.logo && { logo: line.logo }) }}
          {...(view.lines.length === 1 && { size: "large" as const })}
        />
        {line.country ? <Flag country={line.country} /> : null}
        <span>
          {[
            line.brandName,
            kindWords(line.service ?? "", t),
            format.contents(line.title),
            line.country && format.country(line.country),
            ...(line.regions ?? []).map((region) => regionWords(region, t)),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </p>
      <p className={classes.amounts}>
        {send !== undefined && sendCurrency ? (
          <span className="soft tabular">
            {t("display.receives", {
              amount: format.money(send, sendCurrency, sendCurrencyDivisor),
            })}
          </span>
        ) : null}
        {isTotal ? null : (
          <span className="strong tabular">
            {format.money(line.price, view.currency, view.currencyDivisor)}
          </span>
        )}
        {line.outcome ? (
          <OutcomeBadge
            outcome={line.outcome}
            of={line.service ? [{ productType: "BILL_PAY" }] : []}
            size="large"
          />
        ) : null}
      </p>
      {line.addedTo ? <p>{t("sale.details.added", { last: line.addedTo })}</p> : null}
      {line.qrContent ? (
        <figure className={classes.qr}>
          <QrCode content={line.qrContent} label={t("display.qr")} className={classes.code} />
          <figcaption>
            {t("display.qr")}
            <dl className={classes.byHand}>
              <ByHand label={t("sale.details.smdp")} value={line.smdpAddress} />
              <ByHand label={t("sale.details.activation")} value={line.activationCode} />
            </dl>
          </figcaption>
        </figure>
      ) : null}
    </li>
  );
}

function ByHand({
  label,
  value = "",
}: {
  readonly label: string;
  readonly value?: string | undefined;
}) {
  return value === "" ? null : (
    <div>
      <dt className={classes.byHandName}>{label}</dt>
      <dd className="break-anywhere mono">
        <bdi dir="ltr">{value}</bdi>
      </dd>
    </div>
  );
}

function Sum({ view }: { readonly view: DisplayView }) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = (minor: number) => format.money(minor, view.currency, view.currencyDivisor);
  return (
    <dl className={classes.sum}>
      <div className={classes.total}>
        <dt>{t("display.total")}</dt>
        <dd>{money(view.total)}</dd>
      </div>
      {view.cashRounding ? (
        <div>
          <dt>{t("sale.cashRounding")}</dt>
          <dd>{money(view.cashRounding)}</dd>
        </div>
      ) : null}
      {view.tendered === undefined ? null : (
        <div>
          <dt>{t("display.cash")}</dt>
          <dd>{money(view.tendered)}</dd>
        </div>
      )}
      {view.change ? (
        <div className={classes.change}>
          <dt>
            <IconCircleCheck size="1em" aria-hidden="true" /> {t("display.change")}
          </dt>
          <dd>{money(view.change)}</dd>
        </div>
      ) : null}
      {view.moneyBack ? (
        <div className={classes.moneyBack}>
          <dt>
            <IconCashBanknote size="1em" aria-hidden="true" /> {t("display.moneyBack")}
          </dt>
          <dd>{money(view.moneyBack)}</dd>
        </div>
      ) : null}
    </dl>
  );
}

function CodeEntry() {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  return (
    <main className={classes.quiet}>
      <h1 className={classes.shop}>{t("display.entry.title")}</h1>
      <p className={classes.calm}>{t("display.entry.where")}</p>
      <form
        className={classes.entry}
        onSubmit={(event) => {
          event.preventDefault();
          const code = readDisplayCode(typed);
          setWrong(!code);
          if (code) {
            location.hash = code;
          }
        }}
      >
        <TextInput
          size="xl"
          autoFocus
          autoComplete="off"
          spellCheck={false}
          label={t("display.entry.code")}
          placeholder="K7QF 29XM"
          dir="ltr"
          value={typed}
          error={isWrong ? t("display.entry.wrong") : undefined}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" size="xl">
          {t("display.entry.show")}
        </Button>
      </form>
    </main>
  );
}

interface NumberQuestionProps {
  readonly code: string;
  readonly ask: NumberAsk;
}

function NumberQuestion({ code, ask }: NumberQuestionProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { transactionId, number, formatted, country, brandName, brandColor, glyph, logo } = ask;
  const answer = useMutation({
    mutationFn: (said: Said) =>
      call(displayOperations.answer, {
        params: { code },
        body: { transactionId, number, said },
      }),
  });
  const isSaid = answer.isPending || answer.data?.taken === true;
  return (
    <main className={numberQuestionClasses.question}>
      <h1 className={numberQuestionClasses.title}>{t("display.ask.title")}</h1>
      <p className={numberQuestionClasses.number}>
        <bdi dir="ltr">{formatted}</bdi>
      </p>
      <p className={numberQuestionClasses.facts}>
        <BrandFace
          brand=""
          name={brandName}
          color={brandColor}
          facts={glyph && { glyph, ...(logo && { logo }) }}
          size="large"
        />
        {country ? <Flag country={country} /> : null}
        <span>{[brandName, country && format.country(country)].filter(Boolean).join(" · ")}</span>
      </p>
      <p className={numberQuestionClasses.said} role="status">
        {saidWords()}
      </p>
      <div className={numberQuestionClasses.buttons}>
        <button type="button" disabled={isSaid} onClick={() => answer.mutate("NO")}>
          <IconX size="1.2em" aria-hidden="true" /> {t("display.ask.no")}
        </button>
        <button
          type="button"
          className={numberQuestionClasses.yes}
          disabled={isSaid}
          onClick={() => answer.mutate("YES")}
        >
          <IconCheck size="1.2em" aria-hidden="true" /> {t("display.ask.yes")}
        </button>
      </div>
    </main>
  );

  function saidWords(): string {
    if (answer.isError || answer.data?.taken === false) {
      return t("display.ask.failed");
    }
    return isSaid ? t("display.ask.said") : "";
  }
}
