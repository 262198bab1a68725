import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { EvolutionForm } from './evolution-form.tsx'
import { EvolutionStatus } from './evolution-status.tsx'
import { DoctorSection } from '#web/gateway/doctor/doctor-section.tsx'
import { FirstStepsNote } from '#web/gateway/first-steps/first-steps-note.tsx'
import { NumberCard } from '#web/gateway/link/number-card.tsx'
import { gatewayQueries } from './queries.ts'
import { WebhookSection } from './webhook-section.tsx'

/** The connection to the gateway: its state, its configuration, its webhook. */
export function EvolutionTab() {
  const config = useQuery(gatewayQueries.config())
  if (config.isPending) return <LoadingTab />
  if (config.isError && config.data === undefined)
    return (
      <ErrorState
        description={config.error.message}
        isRetrying={config.isFetching}
        onRetry={() => void config.refetch()}
      />
    )
  const stored = config.data ?? undefined
  return (
    <>
      <FirstStepsNote />
      <EvolutionStatus config={stored} />
      {stored && (
        <SettingsSection
          title="Conexão com o celular"
          description="O celular do número lê um código uma vez, e a Evolution API continua conectada."
        >
          <NumberCard id={stored.id} />
        </SettingsSection>
      )}
      <DoctorSection />
      <EvolutionForm key={stored?.id ?? 'new'} config={stored}>
        <WebhookSection config={stored} />
      </EvolutionForm>
    </>
  )
}

function LoadingTab() {
  return (
    <div role="status" aria-busy="true" aria-label="Carregando">
      <SettingsSection title="Situação" description="Como o número está no gateway agora.">
        <Skeleton className="h-28 w-full rounded-card" />
      </SettingsSection>
      <SettingsSection
        title="Conexão"
        description="O servidor da Evolution API e a instância do número."
        isLast
      >
        <Skeleton className="h-(--height-field) w-full max-w-[480px] rounded-control" />
        <Skeleton className="h-(--height-field) w-full max-w-[480px] rounded-control" />
        <Skeleton className="h-(--height-field) w-full max-w-[480px] rounded-control" />
      </SettingsSection>
    </div>
  )
}
