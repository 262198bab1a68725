import { useQuery } from '@tanstack/react-query'
import { Info, PartyPopper } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { Button } from '#web/ui/buttons/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { DeniedState } from '#web/ui/states/denied-state.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { useCan } from '#web/users/users.tsx'
import { gatewayQueries } from '#web/gateway/queries.ts'
import { GatewayStep } from './gateway-step.tsx'
import { HoursStep } from './hours-step.tsx'
import { MessageStep } from './message-step.tsx'
import { NumberStep } from './number-step.tsx'
import { Progress } from './progress.tsx'
import { ProtectAccount } from './protect-account.tsx'
import { firstStepsQuery, leftForLater, nextStep } from './queries.ts'
import { TeamStep } from './team-step.tsx'

/**
 * '/primeiros-passos': from an empty installation to the first client who is answered. What is done is read
 * from what there is, so it may be left, and gone on with in another browser.
 */
export function FirstStepsScreen() {
  const canManage = useCan('manageGateway')
  if (!canManage) return <DeniedState isPage />
  return <Steps />
}

function Steps() {
  const query = useQuery(firstStepsQuery())
  const config = useQuery({ ...gatewayQueries.config(), enabled: query.data !== null })
  const [, navigate] = useLocation()
  const steps = query.data
  if (steps === null)
    return (
      <EmptyState
        isPage
        icon={PartyPopper}
        title="Tudo pronto"
        description="Os primeiros passos terminaram. O Balcão está recebendo mensagens."
        action={
          <Button asChild variant="primary">
            <Link href="/">Ir para o Dashboard</Link>
          </Button>
        }
      />
    )
  const failed =
    query.isError && !steps ? query : config.isError && config.data === undefined ? config : undefined
  const next = steps && nextStep(steps)
  const leave = () => {
    leftForLater.set(true)
    navigate('/')
  }
  return (
    <Page
      title="Primeiros passos"
      subtitle="Do QR code ao primeiro cliente atendido, em cerca de dez minutos"
      className="max-w-[760px]"
      actions={
        <Button variant="ghost" onClick={leave}>
          Continuar depois
        </Button>
      }
    >
      {failed ? (
        <Card>
          <ErrorState
            description={failed.error?.message ?? ''}
            isRetrying={failed.isFetching}
            onRetry={() => void failed.refetch()}
          />
        </Card>
      ) : !steps || config.data === undefined ? (
        <div role="status" aria-busy="true" aria-label="Carregando" className="grid gap-4">
          <Skeleton className="h-1.5 w-full" />
          <Skeleton className="h-[420px] w-full rounded-card" />
        </div>
      ) : (
        <>
          <Progress steps={steps} />
          <ol aria-label="Passos" className="mt-4 overflow-clip rounded-card border border-line bg-surface">
            <GatewayStep config={config.data ?? undefined} isNext={next === 'gateway'} {...steps.gateway} />
            <NumberStep config={config.data ?? undefined} isNext={next === 'number'} {...steps.number} />
            <MessageStep config={config.data ?? undefined} isNext={next === 'message'} {...steps.message} />
            <TeamStep isNext={next === 'team'} {...steps.team} />
            <HoursStep isNext={next === 'hours'} {...steps.hours} />
          </ol>
          <ProtectAccount />

          <p className="mt-3 flex items-center gap-1.5 text-xs text-ink-3">
            <Info size={14} aria-hidden className="flex-none" />
            Este caminho fica no Dashboard e em Configurações até os cinco passos estarem prontos.
          </p>
        </>
      )}
    </Page>
  )
}
