import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Link } from 'wouter'
import type { ManagedSector } from '#shared/sectors/managed-sectors.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { SectorDot } from '#web/sectors/sectors.tsx'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'
import { Waiting } from '#web/ui/states/waiting.tsx'
import { openWords, peopleWords } from '#web/settings/sectors/words.ts'
import { opensWords } from './opening.ts'

const mostAvatars = 4

/** A sector in the list: who is in it, who waits, and whether it is open. */
export function SectorRow({
  sector,
  timezone,
  isChosen,
  move,
}: {
  sector: ManagedSector
  timezone: string
  isChosen: boolean
  /** Moves it up (-1) or down; absent: the order cannot be changed. */
  move: ((step: -1 | 1) => void) | undefined
}) {
  const { id, name, color, isActive, people } = sector
  const onKeyDown = (event: KeyboardEvent) => {
    const step = ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key]
    if (!event.altKey || step === undefined || !move) return
    event.preventDefault()
    move(step)
  }
  return (
    <div className="group relative">
      <Link
        href={`?setor=${id}`}
        aria-current={isChosen || undefined}
        {...(move && { 'aria-keyshortcuts': 'Alt+ArrowUp Alt+ArrowDown' })}
        draggable={false}
        onKeyDown={onKeyDown}
        className={cn(
          'flex min-h-[62px] flex-col justify-center gap-1 py-2.5 pr-3.5 pl-4 text-sm',
          '-outline-offset-2 max-md:pr-12',
          // For the grip.
          move && 'md:pl-8',
          isChosen
            ? 'bg-selected before:absolute before:inset-y-0 before:left-0 before:w-[3px] before:bg-accent'
            : 'hover:bg-hover',
        )}
      >
        <span className="flex h-6 min-w-0 items-center gap-2.5">
          <SectorDot color={isActive ? color : 'var(--color-line-strong)'} className="size-2" />
          <span
            className={cn('min-w-0 flex-1 truncate', isActive ? 'font-semibold' : 'font-medium text-ink-2')}
            title={name}
            dir="auto"
          >
            {name}
          </span>
          {isActive ? <People people={people} /> : <Badge>Inativo</Badge>}
        </span>
        <span className="flex min-h-5 min-w-0 items-center gap-1.5 pl-[18px] text-xs text-ink-2 tabular-nums">
          <State sector={sector} timezone={timezone} />
        </span>
      </Link>
      {move && <Mover name={name} move={move} />}
    </div>
  )
}

function People({ people }: Pick<ManagedSector, 'people'>) {
  const more = people.length - mostAvatars
  return (
    <span className="flex flex-none -space-x-0.5">
      {people.slice(0, mostAvatars).map((person) => (
        <Avatar
          key={person.userId}
          name={person.name}
          src={person.pictureUrl}
          size={24}
          className="ring-2 ring-surface"
        />
      ))}
      {more > 0 && <span className="pl-2 text-xs text-ink-2 tabular-nums">+{more}</span>}
    </span>
  )
}

function State({ sector, timezone }: { sector: ManagedSector; timezone: string }) {
  const { isActive, isOpenNow, changesAt, people, open, waiting, waitingSince } = sector
  const now = useNow(30_000)
  const queued = (isActive && isOpenNow) || waiting > 0 ? [`${waiting.toLocaleString('pt-BR')} na fila`] : []
  const waits = waiting > 0 && waitingSince && (
    <Waiting minutes={minutesSince(waitingSince, now)} className="ml-auto" />
  )
  if (!isActive) {
    const goesOn = open === 1 ? 'segue' : 'seguem'
    // Beside the waiting time there is no room for the verb.
    const goOn = waiting > 0 ? openWords(open) : `${openWords(open)} ${goesOn}`
    return (
      <>
        <Facts facts={['não recebe novas', ...queued, ...(open > waiting ? [goOn] : [])]} />
        {waits}
      </>
    )
  }
  const opens = !isOpenNow && changesAt !== null && waiting === 0 ? opensWords(changesAt, now, timezone) : ''
  return (
    <>
      <Facts facts={[peopleWords(people.length), ...(isOpenNow ? [] : ['fechado']), ...queued]} />
      {waits}
      {opens && <span className="ml-auto flex-none font-medium text-amber-text">{opens}</span>}
    </>
  )
}

export const minutesSince = (instant: string, now: number) =>
  Math.max(0, Math.floor((now - Date.parse(instant)) / 60_000))

function Facts({ facts }: { facts: readonly string[] }) {
  return <span className="min-w-0 truncate">{facts.join('  ·  ')}</span>
}

/** The order by pointer or finger; by keyboard it has its keys too. */
function Mover({ name, move }: { name: string; move: (step: -1 | 1) => void }) {
  return (
    <span
      className={[
        'absolute top-1/2 right-0.5 -translate-y-1/2 max-md:top-0 max-md:bottom-0 max-md:grid',
        'max-md:translate-y-0 max-md:place-items-center md:right-auto md:left-1',
        'md:opacity-0 md:group-focus-within:opacity-100 md:group-hover:opacity-100',
      ].join(' ')}
    >
      <Menu
        align="start"
        trigger={
          <IconButton
            icon={GripVertical}
            size="sm"
            label={`Mudar a ordem no menu do cliente: ${name}`}
            className="md:w-6 md:cursor-grab"
          />
        }
      >
        <MenuItem icon={ArrowUp} onSelect={() => move(-1)}>
          Mover para cima
        </MenuItem>
        <MenuItem icon={ArrowDown} onSelect={() => move(1)}>
          Mover para baixo
        </MenuItem>
      </Menu>
    </span>
  )
}
