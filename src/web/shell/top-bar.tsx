import { createElement } from 'react'
import { Link } from 'wouter'
import { useQuery } from '@tanstack/react-query'
import { Coffee, Menu, Search } from 'lucide-react'
import { clockDate, clockTimeWithSeconds, serverTimeQuery, useNow } from '#web/platform/live/server-clock.ts'
import { useLiveStatus } from '#web/platform/live/live.ts'
import { useCan, useOwnPresence } from '#web/users/users.tsx'
import { cn } from '#web/ui/cn.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { KeyCap } from '#web/ui/badges/key-cap.tsx'
import { Bell } from '#web/notifications/notifications.tsx'
import { useGatewayNews } from '#web/gateway/gateway.tsx'
import { partInPlace } from '#web/platform/loading/in-place.tsx'

/** What waits for the gateway, and what has come late. */
const useNewsPart = partInPlace(async () => (await import('./gateway-news.tsx')).GatewayNews)

function GatewayNews() {
  const news = useGatewayNews()
  const isNew = news !== undefined && (news.waiting > 0 || news.recovered !== null)
  const part = useNewsPart(isNew)
  return isNew && part ? createElement(part) : null
}

export function TopBar({ onMenu, onGoTo }: { onMenu: (() => void) | undefined; onGoTo: () => void }) {
  return (
    <header
      className={[
        'group/bar flex h-(--height-bar) shrink-0 items-center gap-2 border-b',
        'border-line bg-surface pr-3 pl-1.5 md:gap-3 md:px-6',
      ].join(' ')}
    >
      {onMenu && <IconButton icon={Menu} label="Abrir menu" tooltipSide="bottom" onClick={onMenu} />}
      <button
        type="button"
        aria-keyshortcuts="Control+K"
        onClick={onGoTo}
        className={[
          'inline-flex h-(--height-control) items-center gap-2 rounded-control',
          'text-sm text-ink-2 hover:bg-hover hover:text-ink max-md:w-8',
          'max-md:justify-center md:w-64 md:border md:border-line-strong md:px-2.5',
        ].join(' ')}
      >
        <Search size={16} aria-hidden />
        <span className="max-md:sr-only">Ir para…</span>
        <span aria-hidden className="ml-auto max-md:hidden">
          <KeyCap>Ctrl K</KeyCap>
        </span>
      </button>
      <AwayHint />
      <GatewayNews />
      <Clock />
      <Bell />
      <span aria-hidden className="h-4 w-px shrink-0 bg-line" />
      <GatewayState />
    </header>
  )
}

/** One click ends a forgotten away state; a pause, where no side bar tells of it. */
function AwayHint() {
  const { isAway, pause, choose } = useOwnPresence()
  if (!isAway && !pause) return null
  return (
    <button
      type="button"
      // A telephone's bar has no room for the clock beside it.
      data-news
      onClick={() => choose('available')}
      className={[
        'inline-flex h-7 min-w-0 items-center gap-1.5 rounded-full border',
        'border-amber-line bg-amber-soft px-2.5 text-xs font-medium text-amber-text',
        pause ? 'md:hidden' : '',
      ].join(' ')}
    >
      <Coffee aria-hidden size={12} className="flex-none" />
      <span className="truncate">
        {pause ? (
          pause.name
        ) : (
          <>
            <span className="max-md:sr-only">Você está </span>
            <span className="max-md:capitalize">ausente</span>
          </>
        )}
      </span>
      <span className="flex-none underline">Voltar</span>
    </button>
  )
}

function Clock() {
  useQuery(serverTimeQuery)
  const now = useNow(1000)
  return (
    <time
      dateTime={new Date(now).toISOString()}
      className={[
        'ml-auto text-sm whitespace-nowrap text-ink-2 tabular-nums',
        // A telephone has a clock of its own: news need the room.
        'max-md:group-has-[[data-news]]/bar:*:hidden',
      ].join(' ')}
    >
      <span className="hidden md:inline">{clockDate(now)} </span>
      <span className="font-medium text-ink">{clockTimeWithSeconds(now)}</span>
    </time>
  )
}

/** The WhatsApp number's connection; nothing is shown before the live link has reported it. */
function GatewayState() {
  const news = useGatewayNews()
  const isConnected = news?.gatewayConnected
  const link = useLiveStatus()
  const isCutOff = link === 'reconnecting' || link === 'failed'
  // Of several numbers some: the others go on.
  const names = news?.away.map(({ name }) => name).join(', ')
  const isUnlicensed =
    names !== undefined && names !== '' && news?.away.every(({ state }) => state === 'unlicensed')
  const away = isConnected && names && `${names} ${isUnlicensed ? 'sem licença' : 'sem conexão'}`
  const isAway = !isCutOff && news !== undefined && !isConnected
  const mayConnect = useCan('manageGateway')
  const absent = isUnlicensed ? 'Sem licença' : 'Desconectado'
  const word = isCutOff ? 'Sem conexão' : isConnected ? away || 'Conectado' : news && absent
  return (
    <span
      role="status"
      title={
        isCutOff
          ? 'Sem conexão com o servidor, não se sabe se o WhatsApp está conectado'
          : isUnlicensed
            ? 'A Evolution API precisa de uma licença, que se ativa no servidor dela'
            : away || (word && `O WhatsApp está ${word.toLowerCase()}`)
      }
      className="inline-flex items-center gap-[7px] text-sm text-ink-2"
    >
      <span
        aria-hidden
        className={cn(
          'status-dot size-2 rounded-full',
          isCutOff || !news ? 'text-line-strong' : isConnected && !away ? 'text-green' : 'text-red',
        )}
      />
      {word ? (
        isAway && mayConnect ? (
          <Link
            href="/primeiros-passos"
            className="max-w-28 truncate rounded-tag text-red-text underline underline-offset-2 md:max-w-64"
          >
            {word}
          </Link>
        ) : (
          <span className="max-w-28 truncate md:max-w-64">{word}</span>
        )
      ) : (
        // The usual word keeps its place, or the clock would move when it comes.
        <span aria-hidden className="before:invisible before:content-['Conectado']" />
      )}
    </span>
  )
}
