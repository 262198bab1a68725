import { useQuery } from '@tanstack/react-query'
import { useCan } from '#web/users/users.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { AssistantForm } from './assistant-form.tsx'
import { configQuery } from './config-queries.ts'

/** 'IA': the agent that answers in the FILA, and the help for those who attend. */
export function AssistantTab() {
  const canManage = useCan('manageAssistant')
  const config = useQuery({ ...configQuery(), enabled: canManage })
  if (!canManage) return <DeniedState description="Só administradores configuram a IA." />
  if (config.isPending) return <LoadingTab />
  if (!config.data)
    return (
      <ErrorState
        description={config.error.message}
        isRetrying={config.isFetching}
        onRetry={() => void config.refetch()}
      />
    )
  return <AssistantForm config={config.data} />
}

function LoadingTab() {
  return (
    <div role="status" aria-busy="true" aria-label="Carregando">
      <SettingsSection title="Agente na fila" isLast>
        <Skeleton className="h-6 w-full max-w-[480px]" />
        <Skeleton className="h-(--height-field) w-full max-w-[480px] rounded-control" />
        <Skeleton className="h-(--height-field) w-full max-w-[480px] rounded-control" />
      </SettingsSection>
    </div>
  )
}
