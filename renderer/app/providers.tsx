import { DirectionProvider, MantineProvider } from "@mantine/core";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { getI18n, I18nextProvider } from "react-i18next";
import { Announcer } from "../components/announcer.tsx";
import { ScreenKeyboard } from "../components/screen-keyboard/screen-keyboard.tsx";
import { hasErrorCode, UnreachableError } from "../lib/api-client.ts";
import { sessionQuery } from "../lib/pos-queries.ts";
import { mantineTheme } from "../theme/mantine-theme.ts";

const LONGEST_RETRY_MS = 5_000;

function retryDelay(count: number): number {
  return Math.min(500 * 2 ** count, LONGEST_RETRY_MS);
}

/** Returns a client that repeats queries without limit while the gateway is unreachable. */
export function createQueryClient(): QueryClient {
  function onError(error: unknown) {
    if (hasErrorCode(error, "NOT_SIGNED_IN")) {
      client.setQueryData(sessionQuery().queryKey, null);
    }
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // Sends requests even if the browser is offline: the gateway is on this machine or in this
        // shop.
        networkMode: "always",
        refetchOnWindowFocus: false,
        retry: (_count, error) => error instanceof UnreachableError,
        retryDelay,
      },
      mutations: { networkMode: "always", retryDelay },
    },
  });
  return client;
}

interface ProvidersProps {
  readonly queryClient: QueryClient;
  readonly children: ReactNode;
}

export function Providers({ queryClient, children }: ProvidersProps) {
  return (
    <I18nextProvider i18n={getI18n()}>
      <QueryClientProvider client={queryClient}>
        <DirectionProvider>
          <MantineProvider theme={mantineTheme} defaultColorScheme="auto">
            {children}
            <Announcer />
            <ScreenKeyboard />
          </MantineProvider>
        </DirectionProvider>
      </QueryClientProvider>
    </I18nextProvider>
  );
}
