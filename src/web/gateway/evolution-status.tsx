import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { type EvolutionConfig, type EvolutionStatusNow, gatewayStates } from '#shared/gateway/gateway.ts'
import { ownerPhone } from '#shared/gateway/owner-phone.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { dateTime, useNow, clockDate, clockTimeWithSeconds } from '#web/platform/live/server-clock.ts'
import { Badge } from '#web/ui/badges/badge.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { Skeleton } from '#web/ui/states/skeleton.tsx'
import { stateOf } from './numbers/number-words.ts'
import { gatewayQueries } from './queries.ts'
import { Troubleshooting } from './troubleshooting.tsx'

/** The number's connection state at the gateway, polled every minute. */
export function EvolutionStatus({ config }: { config: EvolutionConfig | undefined }) {
  const status = useQuery({ ...gatewayQueries.status(config?.id), enabled: config !== undefined })
  return (
    <SettingsSection title="Situação" description="Como o número está no gateway agora.">
      <Card className="w-full">
        {!config && <p className="p-4 text-sm text-ink-2">Nenhuma conexão configurada ainda.</p>}
        {config && status.isPending && <Skeleton className="m-4 h-[130px] md:h-[124px] rounded-control" />}
        {config && status.isError && !status.data && (
          <ErrorState
            description={status.error.message}
            isRetrying={status.isFetching}
            onRetry={() => void status.refetch()}
          />
        )}
        {config && status.data && (
          <dl className="grid grid-cols-[112px_minmax(0,1fr)] items-center gap-x-3 gap-y-2 p-4 text-sm">
            <Fact name="Conexão">
              <State config={config} status={status.data} />
            </Fact>
            <Fact name="Número">{numberText(status.data.instanceInfo)}</Fact>
            <Fact name="Perfil">{status.data.instanceInfo?.profileName ?? '--'}</Fact>
            <Fact name="Última conexão">
              {config.lastConnectedAt ? dateTime(config.lastConnectedAt) : '--'}
            </Fact>
            <Fact name="Versão">{status.data.version ? `Evolution API ${status.data.version}` : '--'}</Fact>
          </dl>
        )}
        <footer
          className={[
            'flex items-center gap-3 border-t border-line',
            'py-1.5 pr-2 pl-4 text-xs text-ink-3 tabular-nums',
          ].join(' ')}
        >
          <Clock />
          {config && (
            <Button
              size="sm"
              variant="ghost"
              icon={RotateCw}
              className="ml-auto min-w-[122px]"
              isBusy={status.isFetching}
              busyLabel="Atualizando..."
              onClick={() => void status.refetch()}
            >
              Atualizar
            </Button>
          )}
        </footer>
      </Card>
      {config && status.data && !status.data.connected && <Troubleshooting config={config} />}
    </SettingsSection>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0 wrap-anywhere tabular-nums">{children}</dd>
    </>
  )
}

function Clock() {
  const now = useNow(1000)
  return (
    <span>
      Agora: {clockDate(now)} {clockTimeWithSeconds(now)}
    </span>
  )
}

/** What the gateway says of the number now: a state that it is not known by stands beside 'Desconectado'. */
function State({ config, status }: { config: EvolutionConfig; status: EvolutionStatusNow }) {
  const said = status.connected ? 'open' : (status.instanceInfo?.connectionStatus ?? '')
  const known = gatewayStates.find((state) => state === said)
  const { tone, word } = stateOf({ ...config, isActive: true, status: known ?? 'disconnected' })
  return (
    <>
      <Badge tone={tone}>{word}</Badge>
      {!known && <span className="ml-2">{said || 'Desconhecido'}</span>}
    </>
  )
}

function numberText(info: { number: string | null; ownerJid: string | null } | null | undefined): string {
  const digits = info?.number ?? ownerPhone(info?.ownerJid)
  return digits ? formatPhone(digits) : '--'
}
