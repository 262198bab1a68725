import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { styleNonce } from '#web/ui/nonce.ts'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import '#web/ui/theme.css'
import { SimulatorPage } from './simulator-page.tsx'
import { followTheme } from './theme.ts'

// What adds style elements at run time (the scroll lock of dialogs) asks this name for the page's nonce.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() })
followTheme()

// The stream keeps what was fetched up to date.
const client = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false, retry: 2 },
  },
})

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <UiProvider>
        <SimulatorPage />
      </UiProvider>
    </QueryClientProvider>
  </StrictMode>,
)
