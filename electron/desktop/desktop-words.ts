import type { Language } from "../../server/contract/pos/setup.ts";

const EN = {
  open: "Open the till",
  quit: "Quit",
  kioskTitle: "This till runs in kiosk mode and stays open.",
  kioskBody:
    "To quit, an owner signs in and ends kiosk mode in the back office: Settings, This program.",
  kioskOk: "OK",
  running: "Tillgate is running",
  waiting: "Sales waiting: {{number}}",
  updateReady: "A new version is ready",
  stopped: "Nothing is sold: {{reason}}",
  portTitle: "Port {{port}}, which this till always uses, is taken.",
  heldByTillgate: "Another Tillgate of this machine uses it: {{name}}.",
  heldByOther: "Another program of this machine uses it.",
  portUnsent:
    "This till may hold a paid sale that has not been recorded yet, and it is kept with this port. Close the other program, then try again.",
  portMove:
    "Close the other program and try again. Or use port {{next}} from now on: no sale is left behind, only what was typed and not saved.",
  again: "Try again",
  usePort: "Use port {{next}}",
  leave: "Quit",
  portTaken: "Port {{port}} was taken, so this till uses port {{next}} from now on.",
  firstTitle: "Is there a shop already?",
  firstBody:
    "A shop from another Tillgate of this machine can be taken over: its folder has a file tillgate.db. It is copied, and stays where it is.",
  beginNew: "Begin a new shop",
  takeOver: "Take a shop over…",
  foundTitle: "{{shop}}",
  foundBody: "Sales: {{sales}}. The last one: {{last}}.\n\n{{from}}",
  foundNoSale: "Nothing was sold yet.\n\n{{from}}",
  copyIt: "Copy this shop",
  notThis: "Not this one",
  notCopied: "It was not taken over.",
};

export type DesktopWords = typeof EN;

/**
 * Texts outside the page, in the shop's language. Before set-up they are in the machine's language.
 */
export const DESKTOP_WORDS: Record<Language, DesktopWords> = {
  en: EN,
  es: {
    open: "Abrir la caja",
    quit: "Salir",
    kioskTitle: "Esta caja está en modo quiosco y sigue abierta.",
    kioskBody:
      "Para salir, un propietario entra y termina el modo quiosco en Administración: Configuración, Este programa.",
    kioskOk: "Aceptar",
    running: "Tillgate está en marcha",
    waiting: "Ventas en espera: {{number}}",
    updateReady: "Hay una versión nueva lista",
    stopped: "No se vende nada: {{reason}}",
    portTitle: "El puerto {{port}}, que esta caja usa siempre, está ocupado.",
    heldByTillgate: "Lo usa otro Tillgate de este equipo: {{name}}.",
    heldByOther: "Lo usa otro programa de este equipo.",
    portUnsent:
      "Esta caja puede guardar una venta pagada que aún no se ha registrado, y va unida a este puerto. Cierre el otro programa e inténtelo de nuevo.",
    portMove:
      "Cierre el otro programa e inténtelo de nuevo. O use el puerto {{next}} desde ahora: no se deja atrás ninguna venta, solo lo escrito y no guardado.",
    again: "Intentar de nuevo",
    usePort: "Usar el puerto {{next}}",
    leave: "Salir",
    portTaken: "El puerto {{port}} estaba ocupado; esta caja usa desde ahora el puerto {{next}}.",
    firstTitle: "¿Ya hay una tienda?",
    firstBody:
      "Se puede traer la tienda de otro Tillgate de este equipo: su carpeta tiene un archivo tillgate.db. Se copia, y queda donde está.",
    beginNew: "Empezar una tienda nueva",
    takeOver: "Traer una tienda…",
    foundTitle: "{{shop}}",
    foundBody: "Ventas: {{sales}}. La última: {{last}}.\n\n{{from}}",
    foundNoSale: "Todavía no se vendió nada.\n\n{{from}}",
    copyIt: "Copiar esta tienda",
    notThis: "Esta no",
    notCopied: "No se trajo la tienda.",
  },
  fr: {
    open: "Ouvrir la caisse",
    quit: "Quitter",
    kioskTitle: "Cette caisse est en mode kiosque et reste ouverte.",
    kioskBody:
      "Pour quitter, un propriétaire se connecte et arrête le mode kiosque dans Back-office, Réglages, Ce programme.",
    kioskOk: "OK",
    running: "Tillgate fonctionne",
    waiting: "Ventes en attente : {{number}}",
    updateReady: "Une nouvelle version est prête",
    stopped: "Rien ne se vend : {{reason}}",
    portTitle: "Le port {{port}}, que cette caisse utilise toujours, est occupé.",
    heldByTillgate: "Un autre Tillgate de cette machine l’utilise : {{name}}.",
    heldByOther: "Un autre programme de cette machine l’utilise.",
    portUnsent:
      "Cette caisse garde peut-être une vente payée qui n’a pas encore été enregistrée, et elle est liée à ce port. Fermez l’autre programme, puis réessayez.",
    portMove:
      "Fermez l’autre programme et réessayez. Ou utilisez désormais le port {{next}} : aucune vente n’est laissée, seulement ce qui a été saisi sans être enregistré.",
    again: "Réessayer",
    usePort: "Utiliser le port {{next}}",
    leave: "Quitter",
    portTaken: "Le port {{port}} était occupé ; cette caisse utilise désormais le port {{next}}.",
    firstTitle: "Y a-t-il déjà une boutique ?",
    firstBody:
      "La boutique d’un autre Tillgate de cette machine peut être reprise : son dossier contient un fichier tillgate.db. Il est copié et reste où il est.",
    beginNew: "Commencer une nouvelle boutique",
    takeOver: "Reprendre une boutique…",
    foundTitle: "{{shop}}",
    foundBody: "Ventes : {{sales}}. La dernière : {{last}}.\n\n{{from}}",
    foundNoSale: "Rien n’a encore été vendu.\n\n{{from}}",
    copyIt: "Copier cette boutique",
    notThis: "Pas celle-ci",
    notCopied: "La boutique n’a pas été reprise.",
  },
  pt: {
    open: "Abrir o caixa",
    quit: "Sair",
    kioskTitle: "Este caixa está no modo quiosque e continua aberto.",
    kioskBody:
      "Para sair, um proprietário entra e encerra o modo quiosque em Administração: Configurações, Este programa.",
    kioskOk: "OK",
    running: "O Tillgate está funcionando",
    waiting: "Vendas em espera: {{number}}",
    updateReady: "Há uma nova versão pronta",
    stopped: "Nada é vendido: {{reason}}",
    portTitle: "A porta {{port}}, que este caixa sempre usa, está ocupada.",
    heldByTillgate: "Outro Tillgate deste computador a usa: {{name}}.",
    heldByOther: "Outro programa deste computador a usa.",
    portUnsent:
      "Este caixa pode guardar uma venda paga que ainda não foi registrada, e ela fica ligada a esta porta. Feche o outro programa e tente de novo.",
    portMove:
      "Feche o outro programa e tente de novo. Ou use a porta {{next}} de agora em diante: nenhuma venda fica para trás, só o que foi digitado e não salvo.",
    again: "Tentar de novo",
    usePort: "Usar a porta {{next}}",
    leave: "Sair",
    portTaken:
      "A porta {{port}} estava ocupada; este caixa usa a porta {{next}} de agora em diante.",
    firstTitle: "Já existe uma loja?",
    firstBody:
      "A loja de outro Tillgate deste computador pode ser trazida: a pasta dela tem um arquivo tillgate.db. Ela é copiada, e fica onde está.",
    beginNew: "Começar uma loja nova",
    takeOver: "Trazer uma loja…",
    foundTitle: "{{shop}}",
    foundBody: "Vendas: {{sales}}. A última: {{last}}.\n\n{{from}}",
    foundNoSale: "Nada foi vendido ainda.\n\n{{from}}",
    copyIt: "Copiar esta loja",
    notThis: "Esta não",
    notCopied: "A loja não foi trazida.",
  },
  ar: {
    open: "فتح نقطة البيع",
    quit: "إنهاء",
    kioskTitle: "تعمل نقطة البيع هذه في وضع الكشك وتبقى مفتوحة.",
    kioskBody: "للخروج، يدخل مالك وينهي وضع الكشك في الإدارة: الإعدادات، هذا البرنامج.",
    kioskOk: "حسنًا",
    running: "Tillgate يعمل",
    waiting: "مبيعات تنتظر: {{number}}",
    updateReady: "إصدار جديد جاهز",
    stopped: "لا يُباع شيء: {{reason}}",
    portTitle: "المنفذ {{port}} الذي تستخدمه نقطة البيع هذه دائمًا مشغول.",
    heldByTillgate: "يستخدمه Tillgate آخر على هذا الجهاز: {{name}}.",
    heldByOther: "يستخدمه برنامج آخر على هذا الجهاز.",
    portUnsent:
      "قد تحتفظ نقطة البيع هذه بعملية بيع مدفوعة لم تُسجَّل بعد، وهي مرتبطة بهذا المنفذ. أغلق البرنامج الآخر ثم حاول من جديد.",
    portMove:
      "أغلق البرنامج الآخر وحاول من جديد. أو استخدم المنفذ {{next}} من الآن: لا تُترك أي عملية بيع، بل ما كُتب ولم يُحفظ فقط.",
    again: "حاول من جديد",
    usePort: "استخدام المنفذ {{next}}",
    leave: "إنهاء",
    portTaken: "كان المنفذ {{port}} مشغولًا، فتستخدم نقطة البيع هذه المنفذ {{next}} من الآن.",
    firstTitle: "هل هناك متجر بالفعل؟",
    firstBody:
      "يمكن نقل متجر من Tillgate آخر على هذا الجهاز: في مجلده ملف tillgate.db. يُنسخ ويبقى في مكانه.",
    beginNew: "بدء متجر جديد",
    takeOver: "نقل متجر…",
    foundTitle: "{{shop}}",
    foundBody: "المبيعات: {{sales}}. آخرها: {{last}}.\n\n{{from}}",
    foundNoSale: "لم يُبَع شيء بعد.\n\n{{from}}",
    copyIt: "نسخ هذا المتجر",
    notThis: "ليس هذا",
    notCopied: "لم يُنقل المتجر.",
  },
};

export function languageOf(locale: string): Language {
  const [language = ""] = locale.toLowerCase().split(/[-_]/, 1);
  return (Object.keys(DESKTOP_WORDS) as Language[]).find((known) => known === language) ?? "en";
}

export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => String(values[name] ?? place));
}
