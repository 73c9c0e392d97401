import { FuseState, FuseV1Options, getCurrentFuseWire } from "@electron/fuses";

/**
 * Fuses with which the program cannot run as Node, ignores Node's options and debuggers, loads code
 * only from its unchanged archive, and encrypts cookies.
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

/** @throws Error that names the wrong fuses */
export async function requireFuses(program: string): Promise<void> {
  const wire = await getCurrentFuseWire(program);
  const wrong = Object.entries(FUSES).filter(([name, isOn]) => {
    const state = wire[PLACES[name as keyof typeof FUSES]];
    return state !== (isOn ? FuseState.ENABLE : FuseState.DISABLE);
  });
  if (wrong.length === 0) return;
  throw new Error(`These fuses are not set: ${wrong.map(([name]) => name).join(", ")}.`);
}
