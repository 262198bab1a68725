import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import '#web/ui/theme.css'
import { SimulatorPage } from './simulator-page.tsx'
import { allowDialogStyles } from './style-nonce.ts'
import { followTheme } from './theme.ts'

allowDialogStyles()
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
