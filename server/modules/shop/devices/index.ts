import { createHash, X509Certificate } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { PosDevice } from "../../../contract/pos/devices.ts";
import { directionOf, LANGUAGES, type Language } from "../../../contract/pos/setup.ts";
import { Problem } from "../../../contract/problem.ts";
import type { App } from "../../../http/app-types.ts";
import { setKeyCookie } from "../../../http/device-guard.ts";
import { handle } from "../../../http/pos-operations.ts";
import { SECOND, toTimestamp } from "../../../lib/clock.ts";
import type { Base, Module } from "../../module.ts";
import { CODE_LASTS_MS, type DeviceRow, DeviceService } from "./device-service.ts";

export { pruneDevices } from "./device-service.ts";

export function createDevicesModule(deps: Base) {
  const devices = new DeviceService(deps);
  return {
    services: { devices },
    async pages(app) {
      await app.register(async (scope) => registerEnrolment(scope as typeof app, devices));
    },
    pos: (app) => registerDevices(app, devices),
    stop: () => devices.stop(),
  } satisfies Module;
}

async function registerDevices(app: App, devices: DeviceService): Promise<void> {
  const { deviceOperations } = await import("../../../contract/pos/devices.ts");
  handle(app, deviceOperations.list, async ({ request }) => {
    const list = (await devices.list()).map((row) => viewDevice(row, request.device?.deviceId));
    const addresses = devices.readEntrance?.();
    if (!addresses) return { list };
    const authority = devices.authority && new X509Certificate(devices.authority).fingerprint256;
    return { list, entrance: { addresses, ...(authority && { authority }) } };
  });

  handle(app, deviceOperations.makeCode, async ({ actor: { accountId, staffId }, body }) => {
    const { code } = await devices.makeCode({ accountId, staffId }, body.name);
    return { code, lastsS: CODE_LASTS_MS / SECOND };
  });

  handle(app, deviceOperations.revoke, async ({ actor: { accountId, staffId }, params }) => {
    await devices.revoke({ accountId, staffId }, params.deviceId);
    return {};
  });
}

function viewDevice(row: DeviceRow, asking: string | undefined): PosDevice {
  return {
    deviceId: row.device_id,
    name: row.name,
    enrolledAt: toTimestamp(row.enrolled_at),
    seenAt: toTimestamp(row.seen_at),
    address: row.address,
    ...(row.revoked_at !== null && { revokedAt: toTimestamp(row.revoked_at) }),
    isHere: row.device_id === asking,
  };
}

type EnrolmentTexts = Record<
  "title" | "ask" | "code" | "send" | "WRONG" | "MANY" | "authority",
  string
>;

/** Texts of the enrolment page, which reveals nothing about the shop, not even its language. */
const ENROLMENT_TEXTS: Record<Language, EnrolmentTexts> = {
  en: {
    title: "This device is not a till yet",
    ask: "Ask an owner for a code. It works once, for ten minutes.",
    code: "Code",
    send: "Connect this device",
    WRONG: "The code is wrong, used or too old. Ask for another one.",
    MANY: "Too many codes were tried. Try again in a minute.",
    authority: "Certificate of this shop's authority",
  },
  es: {
    title: "Este dispositivo aún no es una caja",
    ask: "Pida un código a un propietario. Sirve una vez, durante diez minutos.",
    code: "Código",
    send: "Conectar este dispositivo",
    WRONG: "El código es incorrecto, ya se usó o caducó. Pida otro.",
    MANY: "Se probaron demasiados códigos. Inténtelo de nuevo en un minuto.",
    authority: "Certificado de la autoridad de esta tienda",
  },
  fr: {
    title: "Cet appareil n’est pas encore une caisse",
    ask: "Demandez un code à un propriétaire. Il sert une fois, pendant dix minutes.",
    code: "Code",
    send: "Connecter cet appareil",
    WRONG: "Le code est faux, déjà utilisé ou expiré. Demandez-en un autre.",
    MANY: "Trop de codes ont été essayés. Réessayez dans une minute.",
    authority: "Certificat de l’autorité de cette boutique",
  },
  pt: {
    title: "Este dispositivo ainda não é um caixa",
    ask: "Peça um código a um proprietário. Vale uma vez, por dez minutos.",
    code: "Código",
    send: "Conectar este dispositivo",
    WRONG: "O código está errado, já foi usado ou expirou. Peça outro.",
    MANY: "Foram tentados códigos demais. Tente novamente em um minuto.",
    authority: "Certificado da autoridade desta loja",
  },
  ar: {
    title: "هذا الجهاز ليس نقطة بيع بعد",
    ask: "اطلب رمزًا من أحد المالكين. يصلح مرة واحدة ولمدة عشر دقائق.",
    code: "الرمز",
    send: "توصيل هذا الجهاز",
    WRONG: "الرمز خاطئ أو مستعمل أو قديم. اطلب رمزًا آخر.",
    MANY: "جُرّبت رموز كثيرة. حاول مرة أخرى بعد دقيقة.",
    authority: "شهادة سلطة التصديق لهذا المتجر",
  },
};

const STYLE = `:root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;max-width:26rem;
margin:10vh auto;padding:0 1rem}input,button{font:inherit;box-sizing:border-box;width:100%;min-height:3rem;
margin:.25rem 0 1rem;padding:0 .75rem}input{direction:ltr;letter-spacing:.1em;text-transform:uppercase}
code{overflow-wrap:anywhere;font-size:.875rem}`;

/**
 * Moves a scanned code from the URL into the form. The code follows a `#`, which browsers do not
 * send.
 */
const FILL_SCRIPT =
  "const c=location.hash.slice(1);if(/^[A-Za-z2-9-]{10,11}$/.test(c)){" +
  'document.getElementById("code").value=c;history.replaceState(null,"","/enrol")}';

interface EnrolmentView {
  language: Language;
  fault?: "WRONG" | "MANY";
  /** SHA-256 of the certificate authority that the device has to trust, if any. */
  fingerprint: string | undefined;
}

/** Renders the only page that an unenrolled device can load. */
function enrolmentPage({ language, fault, fingerprint }: EnrolmentView): string {
  const words = ENROLMENT_TEXTS[language];
  const direction = directionOf(language);
  const said = fault ? `<p role="alert"><strong>${words[fault]}</strong></p>` : "";
  const authority =
    fingerprint === undefined
      ? ""
      : `<p><a href="/authority.crt">${words.authority}</a><br><code dir="ltr">${fingerprint}</code></p>`;
  return `<!doctype html><html lang="${language}" dir="${direction}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${words.title}</title><style>${STYLE}</style>
<main><h1>${words.title}</h1><p>${words.ask}</p>${said}<form method="post" action="/enrol">
<label for="code">${words.code}</label><input id="code" name="code" required autofocus autocomplete="off"
 maxlength="20"><button>${words.send}</button></form>${authority}</main><script>${FILL_SCRIPT}</script></html>`;
}

function pickLanguage(accepted: string): Language {
  const asked = accepted.split(",").map((part) => part.trim().slice(0, 2).toLowerCase());
  for (const one of asked) {
    const known = LANGUAGES.find((language) => language === one);
    if (known) return known;
  }
  return "en";
}

const PAGE_POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${createHash("sha256").update(FILL_SCRIPT).digest("base64")}'`,
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(";");

const HIDDEN = { schema: { hide: true } };

/** Registers the enrolment page, which only the listener for tills has. */
function registerEnrolment(app: App, devices: DeviceService): void {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: 1_024 },
    (_request, text, done) => done(null, new URLSearchParams(String(text))),
  );
  app.get("/enrol", HIDDEN, (request, reply) => show(devices, request, reply));
  app.get("/authority.crt", HIDDEN, (_request, reply) => {
    const { authority } = devices;
    if (authority === undefined) {
      throw new Problem("NOT_FOUND", "The certificate is not the shop's.");
    }
    const bytes = new X509Certificate(authority).raw;
    return reply.type("application/x-x509-ca-cert").send(bytes);
  });
  app.post("/enrol", { schema: { hide: true, body: {} } }, async (request, reply) => {
    const { body } = request;
    const code = body instanceof URLSearchParams ? (body.get("code") ?? "") : "";
    try {
      setKeyCookie(reply, await devices.enrol(code, request.ip));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      reply.status(error.status);
      return show(devices, request, reply, error.status === 429 ? "MANY" : "WRONG");
    }
    return reply.redirect("/", 303);
  });
}

function show(
  { authority }: DeviceService,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  fault?: "WRONG" | "MANY",
) {
  const language = pickLanguage(headers["accept-language"] ?? "");
  const fingerprint = authority && new X509Certificate(authority).fingerprint256;
  const page = enrolmentPage({ language, fingerprint, ...(fault && { fault }) });
  return (
    reply
      .type("text/html; charset=utf-8")
      .header("cache-control", "no-store")
      .header("content-security-policy", PAGE_POLICY)
      // With "no-referrer", browsers send the form with "Origin: null", which the gateway refuses.
      .header("referrer-policy", "same-origin")
      .send(page)
  );
}
