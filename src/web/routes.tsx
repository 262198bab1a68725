import { type ComponentType, createElement } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { ChatSkeleton } from '#web/conversations/chat/chat-skeleton.tsx'
import { ConversationsLive } from '#web/conversations/conversations.tsx'
import { DashboardScreen } from '#web/conversations/dashboard/dashboard-screen.tsx'
import { NotificationsLive } from '#web/notifications/notifications.tsx'
import { ErrorBoundary } from '#web/shell/error-boundary.tsx'
import { HiddenSound } from '#web/media/hidden-sound.tsx'
import { NavProvider } from '#web/shell/navigation/nav.ts'
import { NotFoundScreen } from '#web/shell/not-found-screen.tsx'
import { ShellSkeleton } from '#web/shell/shell-skeleton.tsx'
import { Shell } from '#web/shell/shell.tsx'
import { inPlace, ScreenSpinner } from '#web/platform/loading/in-place.tsx'
import type { Screens } from '#web/platform/screens.ts'
import { UiProvider } from '#web/ui/ui-provider.tsx'
import { DashboardCards } from './dashboard-cards.tsx'
import { screens as screensOfRooms } from './rooms/screens.ts'

const Dashboard = () => <DashboardScreen cards={<DashboardCards />} />
const SettingsAdvanced = inPlace(async () => {
  // Not by the doors of their rooms: the chat, which uses those, would load the forms, too.
  const [{ SettingsAdvancedScreen }, { CategoriesTab }, { SilentHoursFields }] = await Promise.all([
    import('#web/settings/settings-advanced-screen.tsx'),
    import('#web/contacts/categories/categories-tab.tsx'),
    import('#web/users/silence/silent-hours-fields.tsx'),
  ])
  return () => <SettingsAdvancedScreen categories={<CategoriesTab />} silentHours={SilentHoursFields} />
})

const screens: Screens = screensOfRooms

/** Screens of parts of several rooms. */
const ofSeveralRooms: Readonly<Record<string, ComponentType>> = {
  '/': Dashboard,
  '/settings-advanced': SettingsAdvanced,
}

const components = Object.entries(screens).flatMap(([path, { load, loading, aliases = [] }]) => {
  const component = load ? inPlace(load, loading && createElement(loading)) : ofSeveralRooms[path]
  if (!component) throw new Error(`${path}: neither its room nor this file has a component for it`)
  return [path, ...aliases].map((address) => ({ address, component }))
})

/** A fixed address before one with a parameter that it would fit. */
const routes = components.toSorted(
  (a, b) => Number(a.address.includes(':')) - Number(b.address.includes(':')),
)

/** The specification's table of screens inside the shell. @see specification §2 Route table */
export function Routes() {
  const [path] = useLocation()
  return (
    <UiProvider>
      <NavProvider value={screens}>
        <Shell above={<HiddenSound />}>
          <ConversationsLive />
          <NotificationsLive />
          <ErrorBoundary key={path}>
            <Switch>
              {routes.map(({ address, component }) => (
                <Route key={address} path={address} component={component} />
              ))}
              <Route component={NotFoundScreen} />
            </Switch>
          </ErrorBoundary>
        </Shell>
      </NavProvider>
    </UiProvider>
  )
}

/** What stands for them until it is known who has signed in. */
export function RoutesSkeleton() {
  const [path] = useLocation()
  return <ShellSkeleton>{path === '/chat' ? <ChatSkeleton /> : <ScreenSpinner />}</ShellSkeleton>
}
