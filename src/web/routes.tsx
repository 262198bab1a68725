import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { ChatSkeleton } from '#web/conversations/chat/chat-skeleton.tsx'
import { ConversationsLive } from '#web/conversations/conversations.tsx'
import { DashboardScreen } from '#web/conversations/dashboard/dashboard-screen.tsx'
import { ErrorBoundary } from '#web/shell/error-boundary.tsx'
import { HiddenSound } from '#web/media/hidden-sound.tsx'
import { NotFoundScreen } from '#web/shell/not-found-screen.tsx'
import { ShellSkeleton } from '#web/shell/shell-skeleton.tsx'
import { Shell } from '#web/shell/shell.tsx'
import { Spinner } from '#web/ui/states/spinner.tsx'
import { fetchedOnDemand } from '#web/ui/on-demand.tsx'
import { UiProvider } from '#web/ui/ui-provider.tsx'

const spinner = <Spinner size={20} label="Carregando" className="text-ink-3" />

/**
 * A screen whose code is loaded when it is first shown. Not by `lazy`: once Suspense has shown its fallback,
 * React keeps it for at least 300 ms.
 * @param loading a spinner if absent
 */
function screen(load: () => Promise<ComponentType>, loading?: ReactNode): ComponentType {
  let loaded: ComponentType | undefined
  return function Screen() {
    const [part, setPart] = useState(() => ({ component: loaded, error: undefined as unknown }))
    useEffect(() => {
      if (part.component) return
      load().then(
        (component) => setPart({ component: (loaded = component), error: undefined }),
        (error: unknown) => setPart({ component: undefined, error }),
      )
    }, [part.component])
    if (part.error !== undefined) throw part.error
    if (part.component) return createElement(part.component)
    return loading ?? spinner
  }
}

const ActiveConversations = screen(
  async () =>
    (await import('#web/conversations/list/active-conversations-screen.tsx')).ActiveConversationsScreen,
)
const Chat = screen(
  async () => (await import('#web/conversations/chat/chat-screen.tsx')).ChatScreen,
  <ChatSkeleton />,
)
const Archive = screen(
  async () => (await import('#web/conversations/archive/archive-screen.tsx')).ArchiveScreen,
)
const Archived = screen(
  async () => (await import('#web/conversations/archive/archived-screen.tsx')).ArchivedScreen,
)
const TestContactDisplay = screen(
  async () =>
    (await import('#web/conversations/bodies/test-contact-display-screen.tsx')).TestContactDisplayScreen,
)
const Profile = screen(async () => (await import('#web/users/profile/profile-screen.tsx')).ProfileScreen)
const Users = screen(async () => (await import('#web/users/accounts/users-screen.tsx')).UsersScreen)
const Permissions = screen(
  async () => (await import('#web/users/permissions/permissions-screen.tsx')).PermissionsScreen,
)
const Contacts = screen(
  async () => (await import('#web/contacts/directory/contacts-screen.tsx')).ContactsScreen,
)
const ContactPage = screen(
  async () => (await import('#web/conversations/contact/contact-screen.tsx')).ContactScreen,
)
const ContactImport = screen(
  async () => (await import('#web/contacts/import/import-screen.tsx')).ImportScreen,
)
const Companies = screen(async () => (await import('#web/companies/companies-screen.tsx')).CompaniesScreen)
const Settings = screen(async () => (await import('#web/settings/settings-screen.tsx')).SettingsScreen)
const Audit = screen(async () => (await import('#web/audit/audit-screen.tsx')).AuditScreen)
const Maintenance = screen(
  async () => (await import('#web/maintenance/maintenance-screen.tsx')).MaintenanceScreen,
)
const Reports = screen(async () => (await import('#web/reports/reports-screen.tsx')).ReportsScreen)
const dashboardCards = () => import('./dashboard-cards.tsx')
const useDashboardCards = fetchedOnDemand(async () => (await dashboardCards()).DashboardCards)
function Dashboard() {
  const cards = useDashboardCards(true, () => undefined)
  return <DashboardScreen cards={cards && createElement(cards)} />
}
const FirstSteps = screen(async () => (await dashboardCards()).loadFirstSteps())
const SettingsAdvanced = screen(async () => {
  // Not by the doors of their rooms: the chat, which uses those, would load the form of categories, too.
  const [{ SettingsAdvancedScreen }, { CategoriesTab }] = await Promise.all([
    import('#web/settings/settings-advanced-screen.tsx'),
    import('#web/contacts/categories/categories-tab.tsx'),
  ])
  return () => <SettingsAdvancedScreen categories={<CategoriesTab />} />
})

/** The specification's table of screens inside the shell. @see specification §2 Route table */
export function Routes() {
  const [path] = useLocation()
  return (
    <UiProvider>
      <Shell above={<HiddenSound />}>
        <ConversationsLive />
        <ErrorBoundary key={path}>
          <Switch>
            <Route path="/" component={Dashboard} />
            <Route path="/conversas-ativas" component={ActiveConversations} />
            <Route path="/conversations" component={ActiveConversations} />
            <Route path="/chat" component={Chat} />
            <Route path="/conversas-arquivadas" component={Archive} />
            <Route path="/archived-conversations" component={Archive} />
            <Route path="/conversas-arquivadas/:id" component={Archived} />
            <Route path="/perfil" component={Profile} />
            <Route path="/contacts" component={Contacts} />
            <Route path="/contacts/import" component={ContactImport} />
            <Route path="/contacts/:id" component={ContactPage} />
            <Route path="/companies" component={Companies} />
            <Route path="/users" component={Users} />
            <Route path="/permissions" component={Permissions} />
            <Route path="/settings" component={Settings} />
            <Route path="/configuracoes" component={Settings} />
            <Route path="/settings-advanced" component={SettingsAdvanced} />
            <Route path="/maintenance" component={Maintenance} />
            <Route path="/reports" component={Reports} />
            <Route path="/auditoria" component={Audit} />
            <Route path="/primeiros-passos" component={FirstSteps} />
            <Route path="/test-contact-display" component={TestContactDisplay} />
            <Route component={NotFoundScreen} />
          </Switch>
        </ErrorBoundary>
      </Shell>
    </UiProvider>
  )
}

/** What stands for them until it is known who has signed in. */
export function RoutesSkeleton() {
  const [path] = useLocation()
  return <ShellSkeleton>{path === '/chat' ? <ChatSkeleton /> : spinner}</ShellSkeleton>
}
