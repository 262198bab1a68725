import { ChevronDown, ChevronUp, Terminal, UserRoundX, Workflow } from 'lucide-react'
import { createElement, type ReactNode, useId } from 'react'
import type { AuditLog } from '#shared/audit/audit-logs.ts'
import { predicateOf, sentenceOf, subjectOf } from '#shared/text/audit/sentences.ts'
import { shortDevice } from '#shared/text/device-name.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { cn } from '#web/ui/cn.ts'
import { iconOf } from './action-icons.ts'
import type { ZonedDates } from '#shared/text/time/zoned-dates.ts'

const cellLook = 'px-2 py-1.5 max-md:block max-md:p-0 md:h-10 md:first:pl-4 md:last:pr-3'

const timeLook = 'text-ink-2 tabular-nums max-md:order-2 max-md:pt-0.5 max-md:text-xs max-md:text-ink-3'
/** A line of its own on narrow screens. */
const lineLook = 'max-md:order-3 max-md:col-span-2'

/** A row of the log; opened, its details follow below. */
export function AuditRow({
  row,
  dates,
  nameOf,
  isOpen,
  onToggle,
  children,
}: {
  row: AuditLog
  dates: ZonedDates
  nameOf: (userId: unknown) => string
  isOpen: boolean
  onToggle: () => void
  /** The details. */
  children: ReactNode
}) {
  const detailsId = useId()
  const isRefused = row.outcome === 'refused'
  const Chevron = isOpen ? ChevronUp : ChevronDown
  return (
    <>
      <tr
        className={cn(
          'border-t border-line text-sm',
          'max-md:relative max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-2 max-md:gap-y-1',
          'max-md:py-2.5 max-md:pr-12 max-md:pl-4',
          isOpen ? 'bg-selected' : 'md:hover:bg-hover',
        )}
      >
        <td className={`${cellLook} ${timeLook}`}>
          <time dateTime={row.createdAt}>{dates.time(row.createdAt)}</time>
        </td>
        <td className={`${cellLook} max-md:order-1`}>
          <Subject row={row} name={subjectOf(row, nameOf)} />
        </td>
        <td className={`${cellLook} ${lineLook} text-ink-2`} title={sentenceOf(row, nameOf)}>
          <div className="flex min-w-0 items-center gap-2 max-md:block">
            <ActionIcon action={row.action} isRefused={isRefused} />
            <p
              className={cn(
                'min-w-0 max-md:inline max-md:[overflow-wrap:anywhere]',
                !isOpen && 'md:truncate',
              )}
              dir="auto"
            >
              {predicateOf(row, nameOf).map((piece, at) =>
                typeof piece === 'string' ? (
                  piece
                ) : (
                  <b key={at} className="font-medium text-ink">
                    {piece.name}
                  </b>
                ),
              )}
            </p>
            {isRefused && (
              <Badge tone="red" className="max-md:ml-2 max-md:align-middle">
                Recusado
              </Badge>
            )}
          </div>
        </td>
        <td className={`${cellLook} ${lineLook} text-xs text-ink-3 tabular-nums`}>
          <span className="block truncate" title={row.device ?? undefined}>
            {[row.address, row.device && shortDevice(row.device)].filter(Boolean).join(' · ')}
          </span>
        </td>
        <td className={`${cellLook} text-right max-md:absolute max-md:top-2 max-md:right-2`}>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            aria-label={`${isOpen ? 'Fechar' : 'Abrir'} registro ${row.id.toLocaleString('pt-BR')}`}
            onClick={onToggle}
            className={[
              'inline-grid size-7 place-items-center rounded-control text-ink-2',
              'hover:bg-hover hover:text-ink max-md:size-8',
            ].join(' ')}
          >
            <Chevron size={16} aria-hidden />
          </button>
        </td>
      </tr>
      {isOpen && (
        <tr id={detailsId} className="max-md:block">
          <td colSpan={5} className="border-t border-line p-0 max-md:block">
            {children}
          </td>
        </tr>
      )}
    </>
  )
}

function ActionIcon({ action, isRefused }: { action: string; isRefused: boolean }) {
  const className = cn(
    'flex-none max-md:mr-2 max-md:inline max-md:align-middle',
    isRefused ? 'text-red-text' : 'text-ink-3',
  )
  return createElement(iconOf(action), { size: 16, 'aria-hidden': true, className })
}

const kindIcons = { stranger: UserRoundX, command: Terminal, system: Workflow } as const

function Subject({ row: { actor }, name }: { row: AuditLog; name: string }) {
  const Icon = actor.kind === 'person' ? undefined : kindIcons[actor.kind]
  return (
    <div className="flex min-w-0 items-center gap-2">
      {Icon ? (
        <span className="grid size-6 flex-none place-items-center rounded-full bg-sunken text-ink-3">
          <Icon size={14} aria-hidden />
        </span>
      ) : (
        <Avatar name={name} src={null} size={24} />
      )}
      <span className={cn('truncate font-medium', Icon && 'text-ink-2')} title={name} dir="auto">
        {name}
      </span>
    </div>
  )
}
