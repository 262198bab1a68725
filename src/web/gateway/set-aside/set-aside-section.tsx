import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { listSetAside, retrySetAside, type SetAsideEvent } from '#shared/gateway/set-aside.ts'
import { formatPhone } from '#shared/text/phone.ts'
import { call } from '#web/platform/api/api.ts'
import { dateTime } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { SettingsSection } from '#web/ui/layout/settings-section.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { gatewayKeys } from '#web/gateway/pushed.ts'

const setAsideQuery = () =>
  queryOptions({
    queryKey: [...gatewayKeys.all, 'set-aside'],
    queryFn: ({ signal }) => call(listSetAside, { signal }),
  })

/** The events that could not be read; nothing while there are none, or it is not known. */
export function SetAsideSection() {
  const client = useQueryClient()
  const setAside = useQuery(setAsideQuery()).data
  const retry = useMutation({
    mutationFn: () => call(retrySetAside),
    onSuccess: ({ count }) =>
      toast({
        title: count === 1 ? '1 evento será lido de novo' : `${count} eventos serão lidos de novo`,
        description: 'O que ainda não puder ser lido volta a esta lista.',
      }),
    onError: (error) => toast({ title: 'Nada foi lido de novo', description: error.message, tone: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: setAsideQuery().queryKey }),
  })
  if (setAside === undefined || setAside.total === 0) return null
  const { total, events } = setAside
  return (
    <SettingsSection
      title="Eventos não lidos"
      description={
        'O WhatsApp enviou algo que esta versão não sabe ler. Nada foi perdido: fale com essas pessoas ' +
        'pelo celular, e depois de uma atualização mande ler de novo.'
      }
    >
      <Card className="w-full overflow-hidden">
        <ul aria-label="Eventos não lidos">
          {events.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ul>
        {total > events.length && (
          <p className="border-t border-line px-4 py-2.5 text-sm text-ink-2">
            E mais {total - events.length}, que chegaram antes.
          </p>
        )}
      </Card>
      <Button
        icon={RotateCw}
        isBusy={retry.isPending}
        busyLabel="Mandando ler..."
        onClick={() => retry.mutate()}
      >
        Ler de novo
      </Button>
    </SettingsSection>
  )
}

function EventRow({
  event: { address, name, instanceName, receivedAt, event, reason },
}: {
  event: SetAsideEvent
}) {
  const who = [name, address && addressText(address)].filter(Boolean).join(' · ')
  return (
    <li className="grid gap-0.5 border-b border-line px-4 py-2.5 text-sm last:border-b-0">
      <div className="flex min-w-0 items-baseline gap-3">
        <span className="min-w-0 truncate font-medium" title={who || event}>
          {who || event}
        </span>
        <span className="ml-auto flex-none text-xs text-ink-3 tabular-nums">{dateTime(receivedAt)}</span>
      </div>
      <p className="text-ink-2 wrap-anywhere">
        {reasonText(reason)} · {instanceName}
      </p>
    </li>
  )
}

/** The number of an address, or the address itself where it has none that could be called. */
function addressText(address: string): string {
  const digits = /^(\d{8,15})@/.exec(address)?.[1]
  return digits === undefined ? address : `${formatPhone(digits)} (${address})`
}

function reasonText(reason: string): string {
  if (reason === 'unknown address') return 'Endereço de um tipo desconhecido'
  const kind = /^unknown kind (.*)$/.exec(reason)?.[1]
  return kind === undefined
    ? `Cinco tentativas falharam: ${reason}`
    : `Algo que só aparece no celular (${kind}), de quem não tem conversa aberta`
}
