import { FuseState, FuseV1Options, getCurrentFuseWire } from "@electron/fuses";

/**
 * What the shipped program cannot be talked into: to run as Node, to take Node's options or a debugger,
 * to load code from beside its archive or from a changed one, or to give pages from files more than pages of a server have;
 * and its cookies are sealed.
 */
export const FUSES = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  grantFileProtocolExtraPrivileges: false,
} as const;

const PLACES: Record<keyof typeof FUSES, FuseV1Options> = {
  runAsNode: FuseV1Options.RunAsNode,
  enableCookieEncryption: FuseV1Options.EnableCookieEncryption,
  enableNodeOptionsEnvironmentVariable: FuseV1Options.EnableNodeOptionsEnvironmentVariable,
  enableNodeCliInspectArguments: FuseV1Options.EnableNodeCliInspectArguments,
  enableEmbeddedAsarIntegrityValidation: FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
  onlyLoadAppFromAsar: FuseV1Options.OnlyLoadAppFromAsar,
  grantFileProtocolExtraPrivileges: FuseV1Options.GrantFileProtocolExtraPrivileges,
};

/** Reads the fuses of a finished program back. @throws Error naming those that are not as they should be */
export async function requireFuses(program: string): Promise<void> {
  const wire = await getCurrentFuseWire(program);
  const wrong = Object.entries(FUSES).filter(([name, isOn]) => {
    const state = wire[PLACES[name as keyof typeof FUSES]];
    return state !== (isOn ? FuseState.ENABLE : FuseState.DISABLE);
  });
  if (wrong.length === 0) return;
  throw new Error(`These fuses are not set: ${wrong.map(([name]) => name).join(", ")}.`);
}
