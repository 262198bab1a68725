import { ExternalLink, FlaskConical, Menu, ScrollText } from 'lucide-react'
import type { GatewayView } from '#simulator/control-views.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { cn } from '#web/ui/cn.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { Mark } from '#web/ui/badges/mark.tsx'
import { Clock } from './clock.tsx'

const links = {
  open: { word: 'Conectado', ink: 'text-green' },
  connecting: { word: 'Conectando…', ink: 'text-amber' },
  close: { word: 'Desconectado', ink: 'text-red' },
}

/** The demo banner and the gateway's state. The two buttons are for small screens. */
export function TopBar({
  gateway,
  now,
  onOpenSide,
  onOpenLog,
}: {
  gateway?: GatewayView
  now?: string
  onOpenSide?: () => void
  onOpenLog?: () => void
}) {
  return (
    <header className="shrink-0">
      <p
        className={cn(
          'flex min-h-[26px] items-center justify-center gap-2 border-b border-amber-line bg-amber-soft',
          'px-2 text-center text-xs font-medium text-amber-text',
        )}
      >
        <FlaskConical size={14} aria-hidden className="max-md:hidden" />
        Modo de demonstração: nenhum número real recebe mensagens
      </p>
      <div
        className={cn(
          'flex h-(--height-bar) items-center gap-3 border-b border-line bg-surface px-4 max-md:gap-2',
          'max-md:px-2',
        )}
      >
        {onOpenSide && <IconButton label="Celulares e falhas" icon={Menu} onClick={onOpenSide} />}
        <Mark className="size-6 shrink-0" />
        <h1 className="text-base font-semibold">Simulador</h1>
        <p className="truncate text-sm text-ink-2 max-md:hidden">
          celulares de clientes ligados ao gateway de teste
        </p>
        <div className="ml-auto flex shrink-0 items-center gap-3 max-md:gap-1.5">
          {now && <Clock key={now} serverNow={now} className="max-md:hidden" />}
          <span aria-hidden className="h-5 w-px bg-line max-md:hidden" />
          {gateway && <LinkState state={gateway.state} />}
          {onOpenLog && <IconButton label="Registro do gateway" icon={ScrollText} onClick={onOpenLog} />}
          <Button asChild className="max-md:size-8 max-md:border-transparent max-md:px-0">
            <a href="/" target="_blank" rel="noreferrer" aria-label="Abrir o console">
              <ExternalLink size={16} aria-hidden className="text-ink-2 md:-ml-[3px]" />
              <span className="max-md:hidden">Abrir o console</span>
            </a>
          </Button>
        </div>
      </div>
    </header>
  )
}

function LinkState({ state }: { state: GatewayView['state'] }) {
  const { word, ink } = links[state]
  return (
    <span role="status" className="inline-flex items-center gap-[7px] text-sm text-ink-2">
      <span aria-hidden className={cn('status-dot size-2 rounded-full', ink)} />
      {word}
    </span>
  )
}
