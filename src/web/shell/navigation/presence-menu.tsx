import { ChevronsUpDown } from 'lucide-react'
import { type ComponentProps, createElement, type ReactNode } from 'react'
import type { PauseNow } from '#shared/users/users.ts'
import { cn } from '#web/ui/cn.ts'
import { Menu } from '#web/ui/overlays/menu.tsx'
import { tooltip } from '#web/ui/overlays/tooltip.ts'
import { inPlace, partInPlace } from '#web/platform/loading/in-place.tsx'
import { type PauseTone, useOwnPresence, usePauseClock } from '#web/users/users.tsx'

// Most people are in no pause when a page is opened.
const usePauseIcon = partInPlace(async () => (await import('#web/ui/badges/pause-icon.tsx')).PauseIcon)
const PresenceChoices = inPlace(async () => (await import('./presence-choices.tsx')).PresenceChoices)

/** Whether colleagues and the queue count on the signed-in user. */
export function PresenceMenu({ isFolded }: { isFolded: boolean }) {
  const { isAway, pause } = useOwnPresence()
  return (
    <Menu
      align="start"
      trigger={
        pause ? (
          <PausedButton pause={pause} isFolded={isFolded} />
        ) : (
          <PresenceButton
            label={isAway ? 'Ausente' : 'Disponível'}
            isFolded={isFolded}
            mark={<Dot look={isAway ? 'bg-amber' : 'bg-green'} />}
          />
        )
      }
    >
      <PresenceChoices />
    </Menu>
  )
}

const tones: Readonly<Record<PauseTone, string>> = {
  fine: 'text-ink-2 hover:bg-hover hover:text-ink',
  near: 'border-amber-line bg-amber-soft text-amber-text',
  over: 'border-red-line bg-red-soft text-red-text',
}

type ButtonProps = Omit<ComponentProps<'button'>, 'children'>

/** Says the reason and the time; their colours tell how near the limit is. */
function PausedButton({ pause, isFolded, ...more }: ButtonProps & { pause: PauseNow; isFolded: boolean }) {
  const { text, tone, over } = usePauseClock(pause)
  const icon = usePauseIcon()
  const late = over > 0 ? `, passou ${over} min` : ''
  return (
    <PresenceButton
      {...more}
      label={pause.name}
      // Without the time, which a reader would say every second.
      name={`Presença: ${pause.name}${late}`}
      isFolded={isFolded}
      isWide
      className={tones[tone]}
      mark={<span className="size-4 flex-none">{icon && createElement(icon, { icon: pause.icon })}</span>}
      time={text}
    />
  )
}

function PresenceButton({
  label,
  name = `Presença: ${label}`,
  isFolded,
  isWide = false,
  mark,
  time,
  className = 'text-ink-2 hover:bg-hover hover:text-ink',
  ...more
}: ButtonProps & {
  label: string
  name?: string
  isFolded: boolean
  /** As wide as the side bar. */
  isWide?: boolean
  mark: ReactNode
  time?: string
}) {
  return (
    <button
      type="button"
      {...more}
      {...(isFolded && tooltip(time === undefined ? name : `${name}, ${time}`, 'right'))}
      aria-label={name}
      className={cn(
        'inline-flex items-center rounded-control border border-transparent text-sm font-medium',
        isFolded ? 'size-8 justify-center' : '-ml-1.5 h-7 justify-self-start gap-2 px-1.5',
        isWide && !isFolded && 'min-w-0 flex-1',
        className,
      )}
    >
      {mark}
      {!isFolded && (
        <>
          <span className={cn('truncate', isWide && 'min-w-0 flex-1 text-left')}>{label}</span>
          {time !== undefined && (
            // Not as a text: a reader would have it in the name of the button every second.
            <span data-time={time} className="font-semibold tabular-nums before:content-[attr(data-time)]" />
          )}
          <ChevronsUpDown size={14} aria-hidden className={cn('flex-none', !isWide && 'text-ink-3')} />
        </>
      )}
    </button>
  )
}

export const Dot = ({ look }: { look: string }) => (
  <i aria-hidden className={cn('size-2 flex-none rounded-full', look)} />
)
