import './ui/theme.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { applyGatewayEvent } from '#web/gateway/gateway.tsx'
import { onLiveEvent } from '#web/platform/live.ts'
import { createQueryClient, linkToLive } from '#web/platform/query-client.ts'
import '#web/platform/theme.ts'
import { storedToken } from '#web/platform/token.ts'
import { Spinner } from '#web/ui/spinner.tsx'
import { applySettingsEvent } from '#web/settings/settings.tsx'
import { applyUserEvent, SessionProvider } from '#web/users/users.tsx'

const loadRoutes = () => import('./routes.tsx')
const Routes = lazy(async () => ({ default: (await loadRoutes()).Routes }))
// Most who open the page are signed in: what comes after the identity is fetched beside it.
if (storedToken() !== null) void loadRoutes()

const client = createQueryClient()
linkToLive(client)
onLiveEvent((event) => {
  applyGatewayEvent(client, event)
  applyUserEvent(client, event)
  applySettingsEvent(client, event)
})

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <SessionProvider>
        <Suspense fallback={<Spinner size={20} label="Carregando" className="size-full text-ink-3" />}>
          <Routes />
        </Suspense>
      </SessionProvider>
    </QueryClientProvider>
  </StrictMode>,
)
