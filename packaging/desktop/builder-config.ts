import { join } from "node:path";
import type { Configuration } from "electron-builder";
import { FUSES } from "./fuses.ts";
import type { Icons } from "./icons.ts";

/** What the makers of installers are told beside the program itself. */
export interface Making {
  readonly electronVersion: string;
  /** A folder with Electron's runtime; fetched by the packer where it is undefined. */
  readonly runtime: string | undefined;
  readonly icons: Icons;
  /** Where the installers go. */
  readonly output: string;
  /** A web server's folder that updates come from; none is asked where it is undefined. */
  readonly feed: string | undefined;
  readonly signing: Signing;
  /** The script that follows a removal of the Debian package. */
  readonly afterRemove: string;
}

/** What the environment has for signing, by system. */
export interface Signing {
  readonly windows: boolean;
  readonly mac: boolean;
  readonly notarised: boolean;
}

/**
 * How the desktop program is packed for the three systems. No target names a processor: it would be made for that one
 * too, whatever was asked for, and the program's folder holds native code for one.
 */
export function desktopConfig(making: Making): Configuration {
  const { electronVersion, runtime, icons, output, feed, signing, afterRemove } = making;
  return {
    appId: "app.tillgate.desktop",
    productName: "Tillgate",
    // Each processor's installer has a name of its own: by it a till finds which is for it.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the packer puts the values in
    artifactName: "${productName}-${version}-${os}-${arch}.${ext}",
    copyright: "Copyright © Tillgate's authors, MIT licence",
    electronVersion,
    ...(runtime !== undefined && { electronDist: runtime }),
    directories: { output },
    files: ["**/*"],
    asar: true,
    // A system loads native code from files alone.
    asarUnpack: ["node_modules/better-sqlite3/prebuilds/**"],
    // Its library brings what was compiled for every target.
    npmRebuild: false,
    electronFuses: FUSES,
    protocols: [{ name: "Tillgate", schemes: ["tillgate"] }],
    publish: feed === undefined ? null : { provider: "generic", url: feed },
    linux: {
      target: ["AppImage", "deb"],
      icon: icons.linux,
      category: "Office",
      executableName: "tillgate",
      maintainer: "Tillgate <maintainers@tillgate.invalid>",
    },
    win: {
      target: ["nsis"],
      icon: icons.windows,
      verifyUpdateCodeSignature: signing.windows,
    },
    // Another program than the server's package, which has the same command.
    deb: {
      packageName: "tillgate-desktop",
      fpm: ["--conflicts", "tillgate"],
      afterRemove,
    },
    nsis: {
      oneClick: false,
      perMachine: false,
      deleteAppDataOnUninstall: false,
      include: join(import.meta.dirname, "uninstall.nsh"),
    },
    mac: {
      target: ["dmg", "zip"],
      icon: icons.mac,
      category: "public.app-category.business",
      hardenedRuntime: true,
      notarize: signing.notarised,
      ...(!signing.mac && { identity: null }),
    },
  };
}
