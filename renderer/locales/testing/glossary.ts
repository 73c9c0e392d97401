import type { Language } from "../../../server/contract/pos/setup.ts";

export interface Banned {
  readonly word: RegExp;
  readonly say: string;
}

/** Wrong names of things, by language: each thing has a single name in each language. */
export const BANNED: Readonly<Record<Language, readonly Banned[]>> = {
  en: [
    { word: /'/, say: "’" },
    { word: /nothing was charged/i, say: "the wallet was not charged: the customer may have paid" },
    { word: /\b(go|goes|going) on\b/i, say: "continue" },
    { word: /nothing fits|no .* fits/i, say: "no match" },
    { word: /\bbegin(s|ning)? (with|like)\b/i, say: "start with" },
    { word: /all the same/i, say: "anyway" },
    { word: /being found out/i, say: "still checking" },
    { word: /taken? (in|back)\b/i, say: "recorded; refunded, reversed" },
    { word: /\d %/, say: "10%" },
  ],
  es: [
    { word: /propietari/i, say: "dueño" },
    { word: /\bimportes?\b/i, say: "monto" },
    { word: /(\d|letras y|faltan|sobran|revise las) cifras/i, say: "dígito" },
    { word: /añad/i, say: "agregar" },
    { word: /\binformes? [XZ]\b|el informe/i, say: "reporte" },
    { word: /monedero|cartera/i, say: "saldo" },
    { word: /(?<!\p{L})FORMACIÓN/iu, say: "práctica" },
    { word: /\bcambio\b(?<!tipo de cambio)/i, say: "vuelto" },
    { word: /no se cobró nada/i, say: "no se descontó nada del saldo" },
    { word: /pin(es)? equivocado/i, say: "PIN incorrecto" },
    { word: /se averigua/i, say: "seguimos verificando" },
    { word: /en envío|, hora/i, say: "enviándose; ({{time}})" },
    { word: /(efectivo|dinero|sobran|faltan) .*(de|en) la caja\b(?! fuerte)/i, say: "el cajón" },
    {
      word: /itinerancia|datos móviles|\bajustes →/i,
      say: "roaming, datos celulares, Configuración",
    },
    { word: /código del país/i, say: "código de país" },
    { word: /: entra\b|\b(cuentas|tu|tus)\b/i, say: "usted" },
    { word: /[«»]/, say: "“ ”" },
  ],
  fr: [
    {
      word: /(votre|ce|le|un|des|mon|aucun|nouveau) services? ?(est|n’est|ouvert|en cours|$)/i,
      say: "session de caisse",
    },
    { word: /\btickets?\b/i, say: "reçu" },
    { word: /portefeuille(?! prépayé)/i, say: "solde" },
    { word: /codes? erronés?/i, say: "PIN" },
    { word: /\bsauve\b|en sécurité/i, say: "bien enregistrée" },
    { word: /imprimez encore/i, say: "réimprimez" },
    { word: /en envoi\b/i, say: "envoi en cours" },
    { word: /rien n’a été débité/i, say: "le solde n’a pas été débité" },
    { word: /monnaie de vos clients|cette monnaie/i, say: "devise" },
    { word: /fermer (le service|la session)/i, say: "clôturer" },
    { word: /(le|du|au|ce|votre) magasin/i, say: "boutique" },
    { word: /si le numéro a changé/i, say: "si le numéro a été porté" },
    { word: /'/, say: "’" },
  ],
  pt: [
    { word: /propriet[áa]ri/i, say: "dono" },
    {
      word: /\b(est[áã]o?|continuam) a (ser|\w+r\b)|\ba ser (enviad|entregue)/i,
      say: "sendo enviado",
    },
    { word: /em envio/i, say: "sendo enviado, em andamento" },
    { word: /\btreinos?\b/i, say: "treinamento" },
    { word: /carteira(?! pré-paga)/i, say: "saldo" },
    {
      word: /ecrã|(do|o) contador\b|introduza|(?<!im)prima\b|telemóvel|registad/i,
      say: "tela, medidor, digite, pressione, celular",
    },
    { word: /nada foi cobrado/i, say: "nada foi descontado do saldo" },
    { word: /fornecedor/i, say: "provedor" },
    { word: /on-line/i, say: "online" },
    { word: /outra vez/i, say: "de novo" },
    { word: /, hora/i, say: "({{time}})" },
    { word: /\d %/, say: "10%" },
  ],
  ar: [
    { word: /الجهة/, say: "شركة الخدمة" },
    { word: /صاحب المتجر/, say: "المالك" },
    { word: /نقطة البيع/, say: "الصندوق" },
    { word: /عملاء|عميل/, say: "زبون" },
    { word: /الإجمالي/, say: "المجموع" },
    { word: /شريحة إلكترونية|الشريحة|شريحة(?! eSIM)/, say: "شريحة eSIM" },
    { word: /العلامة(?! التجارية)/, say: "العلامة التجارية" },
    { word: /اً/, say: "ًا" },
    { word: /سُلّ|يُسلّم/, say: "سُلِّم، يُسلَّم" },
    { word: /لا تبع/, say: "لا تَبِعْه: unvocalised it reads “follow”" },
    { word: /[“”]/, say: "« »" },
    { word: /,/, say: "،" },
    { word: /[٠-٩]/, say: "Latin digits" },
  ],
};
