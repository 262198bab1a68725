import './ui/theme.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Route, Router, Switch } from 'wouter'
import { config as configureZod } from 'zod/mini'
import { aroundNav } from '#web/platform/browser/leaving.ts'
import { onLiveEvent } from '#web/platform/live/live.ts'
import { createQueryClient, linkToLive } from '#web/platform/api/query-client.ts'
import '#web/platform/browser/theme.ts'
import { validationText } from '#shared/text/validation-text.ts'
import { inPlace } from '#web/platform/loading/in-place.tsx'
import { SessionProvider } from '#web/users/users.tsx'
import { applyLiveEvent } from './room-events.ts'
import { Routes, RoutesSkeleton } from './routes.tsx'

/** Before anybody has signed in, and whoever has. */
const Join = inPlace(async () => (await import('#web/users/invitations/join-screen.tsx')).JoinScreen)

configureZod({ customError: validationText })
const client = createQueryClient()
linkToLive(client)
onLiveEvent((event) => applyLiveEvent(client, event))

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Router aroundNav={aroundNav}>
        <Switch>
          <Route path="/convite" component={Join} />
          <Route>
            <SessionProvider loading={<RoutesSkeleton />}>
              <Routes />
            </SessionProvider>
          </Route>
        </Switch>
      </Router>
    </QueryClientProvider>
  </StrictMode>,
)
