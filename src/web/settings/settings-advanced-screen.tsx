import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { AssistantTab } from '#web/assistant/assistant.tsx'
import { EvolutionTab } from '#web/gateway/gateway.tsx'
import { PrivacyRequestsTab } from '#web/privacy/privacy.tsx'
import { useCan } from '#web/users/users.tsx'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { Tabs } from '#web/ui/layout/tabs.tsx'
import { HoursTab } from '#web/settings/hours/hours-tab.tsx'
import { MediaPanel } from './media-panel.tsx'
import { MessagesTab } from '#web/settings/messages/messages-tab.tsx'
import { PreAttendanceTab } from '#web/settings/messages/pre-attendance-tab.tsx'
import { NumberSettings } from '#web/settings/numbers/number-settings.tsx'
import { QueueTab } from './queue-tab.tsx'

/**
 * '/settings-advanced'
 * @param props.categories the tab of the contacts' room
 * @see specification §2 Settings
 */
export function SettingsAdvancedScreen({ categories }: { categories: ReactNode }) {
  const isAllowed = useCan('openAdvancedSettings')
  const canManageGateway = useCan('manageGateway')
  const canManageAssistant = useCan('manageAssistant')
  const canManageCategories = useCan('manageCategories')
  const canViewRequests = useCan('viewPrivacyRequests')
  const [search, setSearch] = useSearchParams()
  if (!isAllowed) return <DeniedState isPage />
  const tabs = [
    ...(canManageCategories ? [{ value: 'categorias', label: 'Categorias', panel: categories }] : []),
    { value: 'horario', label: 'Horário', panel: <HoursTab /> },
    { value: 'midia', label: 'Mídia', panel: <MediaPanel /> },
    { value: 'mensagens', label: 'Mensagens', panel: <MessagesTab /> },
    { value: 'fila', label: 'Fila', panel: <QueueTab /> },
    { value: 'pre-atendimento', label: 'Pré-atendimento', panel: <PreAttendanceTab /> },
    ...(canManageAssistant ? [{ value: 'ia', label: 'IA', panel: <AssistantTab /> }] : []),
    ...(canManageGateway
      ? [{ value: 'evolution', label: 'Evolution API', panel: <EvolutionTab own={NumberSettings} /> }]
      : []),
    ...(canViewRequests
      ? [{ value: 'lgpd', label: 'Pedidos de titulares', panel: <PrivacyRequestsTab /> }]
      : []),
  ]
  const chosen = tabs.find(({ value }) => value === search.get('aba')) ?? tabs[0]
  return (
    <Page title="Configurações Avançadas" isTabbed>
      <Tabs
        label="Configurações"
        tabs={tabs}
        value={chosen?.value ?? ''}
        onChange={(aba) => setSearch({ aba })}
      >
        {chosen?.panel}
      </Tabs>
    </Page>
  )
}
