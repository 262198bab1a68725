import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { styleNonce } from '#web/ui/nonce.ts'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import '#web/ui/theme.css'
import { SimulatorPage } from './simulator-page.tsx'
import { followTheme } from './theme.ts'

// Libraries that add style elements at run time (scroll lock of dialogs) read the page's nonce from this
// name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() })
followTheme()

// The stream keeps fetched data up to date.
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
