import { useQuery } from '@tanstack/react-query'
import { Menu } from 'lucide-react'
import { useGatewayConnected } from '#web/gateway/gateway.tsx'
import { clockDate, clockTimeWithSeconds, serverTimeQuery, useNow } from '#web/platform/server-clock.ts'
import { cn } from '#web/ui/cn.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

export function TopBar({ onMenu }: { onMenu: (() => void) | undefined }) {
  return (
    <header className="flex h-(--height-bar) shrink-0 items-center gap-2 border-b border-line bg-surface pr-3 pl-1.5 md:gap-3 md:px-6">
      {onMenu && <IconButton icon={Menu} label="Abrir menu" tooltipSide="bottom" onClick={onMenu} />}
      <Clock />
      <span aria-hidden className="h-4 w-px shrink-0 bg-line" />
      <GatewayState />
    </header>
  )
}

function Clock() {
  useQuery(serverTimeQuery)
  const now = useNow(1000)
  return (
    <time
      dateTime={new Date(now).toISOString()}
      className="ml-auto text-sm whitespace-nowrap text-ink-2 tabular-nums"
    >
      <span className="hidden md:inline">{clockDate(now)} </span>
      <span className="font-medium text-ink">{clockTimeWithSeconds(now)}</span>
    </time>
  )
}

/** The WhatsApp number at the gateway; nothing is claimed before the link has said so. */
function GatewayState() {
  const isConnected = useGatewayConnected()
  const isUnknown = isConnected === undefined
  return (
    <span
      role="status"
      title={
        isUnknown ? undefined : isConnected ? 'O WhatsApp está conectado' : 'O WhatsApp está desconectado'
      }
      className="inline-flex items-center gap-[7px] text-sm text-ink-2"
    >
      <span
        aria-hidden
        className={cn(
          'status-dot size-2 rounded-full',
          isUnknown ? 'text-line-strong' : isConnected ? 'text-green' : 'text-red',
        )}
      />
      {isUnknown ? '' : isConnected ? 'Conectado' : 'Desconectado'}
    </span>
  )
}
