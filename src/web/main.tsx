import './ui/theme.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { config as configureZod } from 'zod/mini'
import { aroundNav } from '#web/platform/browser/leaving.ts'
import { onLiveEvent } from '#web/platform/live/live.ts'
import { createQueryClient, linkToLive } from '#web/platform/api/query-client.ts'
import '#web/platform/browser/theme.ts'
import { validationText } from '#shared/text/validation-text.ts'
import { SessionProvider } from '#web/users/users.tsx'
import { applyLiveEvent } from './room-events.ts'
import { Routes, RoutesSkeleton } from './routes.tsx'

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
        <SessionProvider loading={<RoutesSkeleton />}>
          <Routes />
        </SessionProvider>
      </Router>
    </QueryClientProvider>
  </StrictMode>,
)
