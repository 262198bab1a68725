import type { ComponentType, ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { AssistantTab } from '#web/assistant/assistant.tsx'
import { EvolutionTab } from '#web/gateway/gateway.tsx'
import { PrivacyRequestsTab } from '#web/privacy/privacy.tsx'
import { type SilentHoursFieldsProps, useCan } from '#web/users/users.tsx'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { SettingsFrame } from '#web/settings/frame/settings-frame.tsx'
import type { PlaceId } from '#web/settings/frame/settings-index.ts'
import { HoursTab } from '#web/settings/hours/hours-tab.tsx'
import { DayTab } from './day-tab.tsx'
import { MediaPanel } from './media-panel.tsx'
import { MessagesTab } from '#web/settings/messages/messages-tab.tsx'
import { PreAttendanceTab } from '#web/settings/messages/pre-attendance-tab.tsx'
import { NumberSettings } from '#web/settings/numbers/number-settings.tsx'
import { PausesTab } from '#web/settings/pauses/pauses-tab.tsx'
import { ReasonsTab } from '#web/settings/reasons/reasons-tab.tsx'
import { RepliesAndMacros } from '#web/settings/replies/replies-and-macros.tsx'
import { SlaTab } from '#web/settings/sla/sla-tab.tsx'
import { TagsTab } from '#web/settings/tags/tags-tab.tsx'
import { QueueTab } from './queue-tab.tsx'

/**
 * '/settings-advanced'
 * @param props.categories the tab of the contacts' room
 * @param props.silentHours the fields of the users' room
 * @see specification §2 Settings
 */
export function SettingsAdvancedScreen({
  categories,
  silentHours,
}: {
  categories: ReactNode
  silentHours: ComponentType<SilentHoursFieldsProps>
}) {
  const isAllowed = useCan('openAdvancedSettings')
  const canManageGateway = useCan('manageGateway')
  const canManageAssistant = useCan('manageAssistant')
  const canManageCategories = useCan('manageCategories')
  const canManagePauses = useCan('managePauses')
  const canManageReasons = useCan('manageReasons')
  const canManageSla = useCan('manageSla')
  const canManageTags = useCan('manageTags')
  const canViewRequests = useCan('viewPrivacyRequests')
  const [search] = useSearchParams()
  if (!isAllowed) return <DeniedState isPage />
  const panels: Partial<Record<PlaceId, ReactNode>> = {
    ...(canManageCategories && { categorias: categories }),
    respostas: <RepliesAndMacros />,
    ...(canManagePauses && { pausas: <PausesTab /> }),
    ...(canManageReasons && { motivos: <ReasonsTab /> }),
    ...(canManageTags && { etiquetas: <TagsTab /> }),
    ...(canManageSla && { sla: <SlaTab /> }),
    horario: <HoursTab />,
    dia: <DayTab fields={silentHours} />,
    midia: <MediaPanel />,
    mensagens: <MessagesTab />,
    fila: <QueueTab />,
    'pre-atendimento': <PreAttendanceTab />,
    ...(canManageAssistant && { ia: <AssistantTab /> }),
    ...(canManageGateway && { evolution: <EvolutionTab own={NumberSettings} /> }),
    ...(canViewRequests && { lgpd: <PrivacyRequestsTab /> }),
  }
  const ids = Object.keys(panels) as PlaceId[]
  const asked = search.get('aba') === 'macros' ? 'respostas' : search.get('aba')
  const chosen = ids.find((id) => id === asked) ?? ids[0] ?? 'horario'
  return (
    <SettingsFrame title="Configurações Avançadas" chosen={chosen}>
      {panels[chosen]}
    </SettingsFrame>
  )
}
