import { createHash } from "node:crypto";
import { nameOutcome } from "../../../contract/pos/outcome.ts";
import type { EsimDetails, SaleLine, VoucherDetails } from "../../../contract/pos/sale-lines.ts";
import type { Sale } from "../../../contract/pos/sales.ts";
import { directionOf, type Language } from "../../../contract/pos/setup.ts";
import { changeOf } from "../../../contract/pos/tenders.ts";
import { isPaidBill } from "./bill-proof/bill-proof-maker.ts";
import {
  asIs,
  brandFaceHtml,
  type Faces,
  getLineTitle,
  getWords,
  type Html,
  html,
  listPlaces,
  PageFormat,
  type PageWords,
  shopLogoHtml,
} from "./page-format.ts";
import type { NoPage, ReceiptPage } from "./page-service.ts";

const STYLE = `
:root{color-scheme:light dark;--ink:#14171c;--soft:#474e59;--page:#f4f5f7;--card:#fff;--line:#e2e5ea;
--good:#0a7040;--good-soft:#e4f5ec;--bad:#b8261b;--bad-soft:#fdecea;--wait:#855100;--wait-soft:#fff3da;
--act:#2a52e0;--act-text:#2447c8;--on-act:#fff;--test:#ffc93c;--on-test:#241a00}
@media (prefers-color-scheme:dark){:root{--ink:#f0f2f5;--soft:#b5bcc7;--page:#0d0f13;--card:#15181e;
--line:#2a303a;--good:#66d39a;--good-soft:#10281c;--bad:#ff9d92;--bad-soft:#361714;--wait:#f3c064;
--wait-soft:#2d220c;--act:#4065f0;--act-text:#9fb4ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);
font:1rem/1.5 system-ui,sans-serif}
main{max-width:26rem;margin:0 auto;padding:1rem}
header{padding:.5rem 0 1rem;text-align:center}
h1{font-size:1.375rem;margin:0;overflow-wrap:anywhere}
h2{font-size:1.125rem;margin:0;overflow-wrap:anywhere}
p{margin:.25rem 0;overflow-wrap:anywhere}
.soft{color:var(--soft)}
.mark{background:var(--test);color:var(--on-test);font-weight:600;text-align:center;padding:.5rem;
border-radius:999px;margin:0 0 .75rem}
section{background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:1.125rem;
margin:0 0 .75rem}
.row{display:flex;justify-content:space-between;gap:1rem;align-items:baseline}
.row>:last-child{white-space:nowrap;font-variant-numeric:tabular-nums}
.brand{display:flex;align-items:center;gap:.75rem;min-width:0}
.brand+span{align-self:center}
.face{flex:none;width:3.25rem;height:2.05rem;border-radius:.3rem;outline:1px solid var(--line);outline-offset:-1px;
user-select:none}
svg.face{fill:none;stroke-linecap:round;stroke-linejoin:round;font-weight:600}
img.face{background:#fff;padding:.2rem;object-fit:contain}
.logo{display:block;width:auto;height:auto;max-width:min(100%,12rem);max-height:5rem;margin:0 auto .75rem;
padding:.375rem;background:#fff;border-radius:.5rem}
.who{font-size:1.25rem;font-weight:600;overflow-wrap:anywhere}
.state{display:flex;gap:.875rem;align-items:center;margin:0 0 .875rem}
.state strong{display:block;font-size:1.25rem;line-height:1.3}
.sign{flex:none;width:2.75rem;height:2.75rem;padding:.6rem;border-radius:50%;fill:none;stroke:currentColor;
stroke-width:2.5;stroke-linecap:round;stroke-linejoin:round}
.good .sign{background:var(--good);color:var(--card)}
.bad .sign{background:var(--bad);color:var(--card);border-radius:.75rem}
.wait .sign{background:var(--wait-soft);color:var(--wait);border:2px dashed}
summary{min-height:3rem;padding:.75rem 0;font-weight:600;cursor:pointer}
.total{font-weight:700;font-size:1.125rem}
.act{display:block;width:100%;min-height:3rem;margin:.75rem 0 0;padding:.625rem 1rem;border-radius:.75rem;
border:1px solid var(--act);background:var(--act);color:var(--on-act);font:inherit;font-weight:600;
text-align:center;text-decoration:none;cursor:pointer}
.act.plain{background:var(--card);border-color:var(--line);color:var(--ink)}
a{color:var(--act-text)}
:focus-visible{outline:3px solid var(--act);outline-offset:2px}
.code{display:block;font:600 1.375rem/1.4 ui-monospace,monospace;letter-spacing:.04em;margin:.25rem 0;
padding:.75rem;border:1px dashed var(--soft);border-radius:.5rem;overflow-wrap:anywhere;user-select:all}
.code.small{font-size:1rem}
.code span:not(:last-of-type){margin-inline-end:.4em}
.qr{display:block;width:min(100%,17rem);margin:.75rem auto;background:#fff}
.text{white-space:pre-line}
footer{padding:.5rem 0 2rem;font-size:.875rem;text-align:center}
`;

/** Copies the text of the element that a button names, or selects it if there is no clipboard. */
const SCRIPT = `
for(const button of document.querySelectorAll("[data-copy]")){button.hidden=false;
button.addEventListener("click",async()=>{const from=document.getElementById(button.dataset.copy);
const text=from.textContent;try{await navigator.clipboard.writeText(text)}catch{
const range=document.createRange();range.selectNodeContents(from);const chosen=getSelection();
chosen.removeAllRanges();chosen.addRange(range);document.execCommand("copy")}
button.textContent=button.dataset.done})}
`;

function digest(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Allows only this style and script, own pictures, and forms to the page itself. */
const POLICY = [
  "default-src 'none'",
  `style-src ${digest(STYLE)}`,
  `script-src ${digest(SCRIPT)}`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join(";");

export const PRIVATE_HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex, nofollow, noarchive",
  "referrer-policy": "no-referrer",
  "content-security-policy": POLICY,
};

/**
 * Cacheable, because a picture's address changes with its content. The policy prevents scripts if
 * the address is opened as a page.
 */
export const PICTURE_HEADERS = {
  ...PRIVATE_HEADERS,
  "cache-control": "private, max-age=86400, immutable",
  "content-security-policy": "default-src 'none'; sandbox",
};

export const PAGE_HEADERS = {
  ...PRIVATE_HEADERS,
  "content-type": "text/html; charset=utf-8",
};

/** Addresses at which phones install an eSIM with one tap. */
const INSTALLERS = [
  ["iphone", "https://esimsetup.apple.com/esim_qrcode_provisioning?carddata="],
  ["android", "https://esimsetup.android.com/esim_qrcode_provisioning?carddata="],
] as const;

const TONES = {
  DELIVERED: "good",
  NOT_DELIVERED: "bad",
  SENDING: "wait",
  STILL_SENDING: "wait",
} as const;

/** Signs of the states, which differ by shape and not only by color. */
const SIGNS = {
  good: "M5 12l5 5L20 7",
  wait: "M12 7v5l3 3",
  bad: "M6 6l12 12M18 6L6 18",
} as const;

const PHONE = /\+?\d[\d\s()./-]{5,}\d/;

/** Maximum number of countries in the open list. Further countries are in a collapsed section. */
const MAX_PLACES = 8;

export async function receiptHtml(page: ReceiptPage): Promise<string> {
  const { token, sale, shop, language, shown, expiresAt, faces } = page;
  const format = new PageFormat(language, shop);
  const { words } = format;
  const lines: Html[] = [];
  for (const line of sale.lines) {
    const isShown = shown?.position === line.position;
    lines.push(await lineHtml(line, { token, sale, format, isShown, faces }));
  }
  const address = [...shop.receipt.address, ...shop.receipt.support];
  return document({
    language,
    title: `${words.title} · ${shop.name}`,
    script: shown !== undefined,
    body: html`${mark(sale, format)}
<header>${shopLogoHtml(shop, token)}<h1 dir="auto">${shop.name}</h1>
${address.map((line) => html`<p class="soft" dir="auto">${line}</p>`)}
</header>
${lines}${sumsHtml(sale, format)}${callHtml(shop.receipt.support, words)}
<footer class="soft">${format.fill(words.keptUntil, format.moment(expiresAt))}</footer>`,
  });
}

export function noPageHtml({ trouble, language }: NoPage): string {
  const words = getWords(language);
  return document({
    language,
    title: words[trouble],
    script: false,
    body: html`<header><h1>${words[trouble]}</h1><p>${words[`${trouble}Hint`]}</p></header>`,
  });
}

function mark({ training, environment }: Sale, { words }: PageFormat): Html | undefined {
  if (!training && environment === "live") return undefined;
  return html`<p class="mark">${training ? words.training : words.test}</p>`;
}

async function lineHtml(
  line: SaleLine,
  {
    token,
    sale,
    format,
    isShown,
    faces,
  }: { token: string; sale: Sale; format: PageFormat; isShown: boolean; faces: Faces },
): Promise<Html> {
  const { words } = format;
  const price = format.amount(line.price - line.discount, sale);
  return html`<section>
${stateHtml(line, format)}
<div class="row"><div class="brand">${brandFaceHtml(line, { token, faces })}<h2 dir="auto">${line.brandName}</h2></div><span>${price}</span></div>
<p dir="auto">${getLineTitle(line, format)}</p>
${line.recipientFormatted === "" ? undefined : html`<p class="who"><bdi dir="ltr">${line.recipientFormatted}</bdi></p>`}
${placeHtml(line, format)}${feeHtml(line, { sale, format })}
${outcomeHtml(line, { sale, format })}
${await detailsHtml(line, { isShown, format })}
${isPaidBill(line) ? html`<a class="act plain" href="${token}/bill-${line.position}.pdf" rel="noreferrer" download>${words.savePdf}</a>` : undefined}
</section>`;
}

function stateHtml(line: SaleLine, format: PageFormat): Html {
  const { outcome, finishedAt } = line;
  const tone = TONES[outcome];
  return html`<div class="state ${tone}"><svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d="${SIGNS[tone]}"/></svg>
<div><strong>${format.words[nameOutcome(outcome, [line])]}</strong>${
    outcome === "DELIVERED" && finishedAt
      ? html`<span class="soft"><bdi>${format.moment(finishedAt)}</bdi></span>`
      : undefined
  }</div></div>`;
}

function callHtml(support: readonly string[], words: PageWords): Html | undefined {
  const number = support.map((line) => PHONE.exec(line)?.[0]).find((found) => found !== undefined);
  return number === undefined
    ? undefined
    : html`<a class="act plain" href="tel:${number.replaceAll(/[^\d+]/g, "")}">${words.call}</a>`;
}

function placeHtml(line: SaleLine, format: PageFormat): Html | undefined {
  if (line.productType !== "ESIM") return undefined;
  const { words } = format;
  const places = listPlaces(line, format);
  if (places.length === 0) return undefined;
  const named = format.list(places);
  if (places.length <= MAX_PLACES) return html`<p>${format.fill(words.worksIn, named)}</p>`;
  return html`<details><summary>${words.worksInMany}</summary><p>${named}</p></details>`;
}

function feeHtml(
  { price, discount, fee }: SaleLine,
  { sale, format }: { sale: Sale; format: PageFormat },
): Html | undefined {
  if (fee === undefined) return undefined;
  const { words } = format;
  return html`${sumRow(words.amount, format.amount(price - fee, sale))}${sumRow(words.fee, format.amount(fee, sale))}${
    discount > 0 ? sumRow(words.discount, format.amount(-discount, sale)) : undefined
  }`;
}

function sumRow(name: string, amount: Html): Html {
  return html`<div class="row soft"><span dir="auto">${name}</span><span>${amount}</span></div>`;
}

function outcomeHtml(
  line: SaleLine,
  { sale, format }: { sale: Sale; format: PageFormat },
): Html | undefined {
  const { words } = format;
  if (line.outcome === "NOT_DELIVERED") {
    const back = format.amount(line.price - line.discount, sale);
    const text = line.refunded ? words.refunded : words.refundDue;
    const number = String(line.sentAgainAs);
    const paid = words.paidForSale.replace("{{number}}", number);
    return html`<p>${format.fill(line.sentAgainAs === undefined ? text : paid, back)}</p>`;
  }
  if (line.outcome !== "DELIVERED") return html`<p>${words.sendingHint}</p>`;
  const { confirmationNumber = "", referenceNumber = "", due } = line;
  const unit = { currency: line.sendCurrency, currencyDivisor: line.sendCurrencyDivisor };
  const wasDue = due === undefined ? "" : format.formatAmount(due, unit);
  return html`${named(words.due, wasDue)}${named(words.confirmation, confirmationNumber)}${named(words.reference, referenceNumber)}`;
}

function named(name: string, text: string): Html | undefined {
  if (text === "") return undefined;
  return html`<p class="soft">${name}: <bdi dir="ltr">${text}</bdi></p>`;
}

function sumsHtml(sale: Sale, format: PageFormat): Html {
  const { words } = format;
  const change = changeOf(sale.tenders);
  return html`<section>
<div class="row"><span class="soft">${format.fill(words.sale, String(sale.saleNumber))}</span><bdi>${format.moment(sale.createdAt)}</bdi></div>
<p class="soft">${format.fill(words.servedBy, sale.staff.name)}</p>
<div class="row total"><span>${words.total}</span><span>${format.amount(sale.total + sale.cashRounding, sale)}</span></div>
${sale.tenders.map(({ kind, name, amount, tendered = amount }) =>
  sumRow(name ?? words[kind], format.amount(tendered, sale)),
)}
${change > 0 ? sumRow(words.change, format.amount(change, sale)) : undefined}
${sale.taxes.map(
  ({
    percent,
    amount,
  }) => html`<div class="row soft"><span>${format.fill(words.tax, format.percent(percent))}</span>
<span>${format.amount(amount, sale)}</span></div>`,
)}
</section>`;
}

function document({
  language,
  title,
  body,
  script,
}: {
  language: Language;
  title: string;
  body: Html;
  script: boolean;
}): string {
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow"><meta name="format-detection" content="telephone=no">
<title>${title}</title><style>${asIs(STYLE)}</style></head>
<body><main>${body}</main>${script ? html`<script>${asIs(SCRIPT)}</script>` : undefined}</body></html>`
    .text;
}

async function detailsHtml(
  line: SaleLine,
  { isShown, format }: { isShown: boolean; format: PageFormat },
): Promise<Html> {
  const { words } = format;
  if (line.details === "ERASED") return html`<p class="soft">${words.erased}</p>`;
  if (line.details === "UNREADABLE" || line.details === "MISSING") {
    return html`<p class="soft">${words.codeMissing}</p>`;
  }
  if (line.details !== "SHOWN") return html``;
  if (!isShown) return showForm(line, words);
  const esim = line.esim && line.iccid === undefined ? await esimHtml(line.esim, words) : undefined;
  return html`${line.voucher && voucherHtml(line.voucher, line, format)}${esim}`;
}

function showForm({ position, voucher }: SaleLine, words: PageWords): Html {
  return html`<form method="post">
<input type="hidden" name="line" value="${position}">
<button class="act">${voucher ? words.showPin : words.showCode}</button>
<p class="soft">${words.showHint}</p></form>`;
}

function voucherHtml(voucher: VoucherDetails, { position }: SaleLine, format: PageFormat): Html {
  const { words } = format;
  const { epin, serialNumber, redemptionUrl, expiresAt, customerService } = voucher;
  return html`${copied(words.pin, epin, { id: `pin${position}`, words, shown: groupDigits(epin) })}
${copied(words.serialNumber, serialNumber, { id: `serial${position}`, words, isSmall: true })}
${linked(words.redeemAt, redemptionUrl)}
${expiresAt === "" ? undefined : html`<p>${format.fill(words.expires, format.formatMoment(expiresAt))}</p>`}
${textBlock(words.howTo, voucher.instructions, voucher.providerInstructions)}
${textBlock(words.terms, voucher.terms, voucher.providerTerms)}
${textBlock(words.customerService, customerService)}${textBlock("", voucher.notes)}`;
}

async function esimHtml(esim: EsimDetails, words: PageWords): Promise<Html> {
  const { qrContent, smdpAddress, activationCode, instructions } = esim;
  const data = encodeURIComponent(qrContent).replaceAll("%3A", ":").replaceAll("%24", "$");
  return html`${INSTALLERS.map(
    ([phone, place]) =>
      html`<a class="act" href="${place + data}" rel="noreferrer">${words[phone]}</a>`,
  )}
<p class="soft">${words.installHint}</p>
${await qrHtml(qrContent, words.qr)}
<p class="soft">${words.anotherPhone}</p>
<details open><summary>${words.byHand}</summary>
${copied(words.smdp, smdpAddress, { id: "smdp", words, isSmall: true })}
${copied(words.activationCode, activationCode, { id: "code", words, isSmall: true })}
${copied("LPA", qrContent, { id: "lpa", words, isSmall: true })}</details>
${textBlock(words.howTo, instructions)}`;
}

/** White border in modules, which cameras need on a dark page. */
const QUIET_ZONE = 4;

async function qrHtml(content: string, label: string): Promise<Html> {
  const { default: qrcode } = await import("qrcode");
  const { modules } = qrcode.create(content, { errorCorrectionLevel: "M" });
  const { size } = modules;
  const dots: string[] = [];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) if (modules.get(y, x) === 1) dots.push(`M${x} ${y}h1v1h-1z`);
  }
  const whole = size + 2 * QUIET_ZONE;
  return html`<svg class="qr" viewBox="${-QUIET_ZONE} ${-QUIET_ZONE} ${whole} ${whole}" role="img" aria-label="${label}"
shape-rendering="crispEdges"><path d="${asIs(dots.join(""))}" fill="#000"/></svg>`;
}

function copied(
  name: string,
  text: string,
  {
    id,
    words,
    isSmall = false,
    shown = html`${text}`,
  }: { id: string; words: PageWords; isSmall?: boolean; shown?: Html },
): Html {
  if (text === "") return html``;
  return html`<p class="soft">${name}</p>
<code class="code${isSmall ? " small" : ""}" id="${id}" dir="ltr">${shown}</code>
<button class="act plain" type="button" hidden data-copy="${id}" data-done="${words.copied}">${words.copy}</button>`;
}

function linked(name: string, address: string): Html {
  if (address === "") return html``;
  const isWeb = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  return isWeb
    ? html`<p>${name}: <a href="${address}" rel="noreferrer">${address}</a></p>`
    : textBlock(name, address);
}

/** Shows equal texts of the brand and the provider once. */
function textBlock(name: string, ...said: string[]): Html {
  const texts = [...new Set(said.map((text) => text.trim()))].filter((text) => text !== "");
  if (texts.length === 0) return html``;
  return html`${name === "" ? undefined : html`<h3>${name}</h3>`}${texts.map(
    (text) => html`<p class="text" dir="auto">${text}</p>`,
  )}`;
}

/** Groups digits without inserted characters, so that the PIN is copied unchanged. */
function groupDigits(pin: string): Html {
  if (!/^[\p{L}\p{N}]+$/u.test(pin)) return html`${pin}`;
  const groups = pin.match(/.{1,4}/gu) ?? [];
  return html`${groups.map((group) => html`<span>${group}</span><wbr>`)}`;
}
