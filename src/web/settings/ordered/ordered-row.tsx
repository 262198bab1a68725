import { ArrowDown, ArrowUp, Ellipsis, GripVertical, Pencil, Plus, Power, Trash2 } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { SectorBadge } from '#web/sectors/sectors.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'

export interface RowActs {
  onEdit: () => void
  /** Adds one within it, under these words. */
  add?: { words: string; onAdd: () => void } | undefined
  onSwitch: () => void
  /** Absent: it was used, or has others within it. */
  onDelete?: (() => void) | undefined
}

/** What conversations end with, or are tagged with, in its list: whose it is, how often it was used. */
export function OrderedRow({
  name,
  mark,
  isWithin = false,
  off,
  isOff,
  sectorId,
  uses,
  acts,
  move,
}: {
  name: string
  /** Instead of the name alone. */
  mark?: ReactNode
  /** Within another one. */
  isWithin?: boolean
  /** The word for one that is switched off; undefined: it is on. */
  off: string | undefined
  /** Not offered, for whatever reason. */
  isOff: boolean
  /** null: of all sectors; absent: it is not said. */
  sectorId?: number | null | undefined
  uses: number
  /** Absent: somebody else changes it. */
  acts: RowActs | undefined
  /** Up (-1) or down; absent: it is the only one, or its order is not the person's. */
  move: ((step: -1 | 1) => void) | undefined
}) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key]
    if (!event.altKey || step === undefined || !move) return
    event.preventDefault()
    move(step)
  }
  return (
    <div
      className={cn(
        'flex min-h-11 items-center gap-2 py-1 pr-2 text-sm hover:bg-hover',
        isWithin ? 'pl-8' : 'pl-2',
      )}
    >
      <GripVertical
        size={14}
        aria-hidden
        className={cn('flex-none text-ink-3 max-md:hidden', move ? 'cursor-grab' : 'invisible')}
      />
      <button
        type="button"
        onClick={acts?.onEdit}
        onKeyDown={onKeyDown}
        disabled={!acts}
        {...(move && { 'aria-keyshortcuts': 'Alt+ArrowUp Alt+ArrowDown' })}
        title={name}
        className={cn(
          'flex min-w-0 flex-1 items-center rounded-control px-1 py-1 text-left max-md:min-h-11',
          !isWithin && 'font-medium',
          isOff && 'text-ink-3',
        )}
      >
        {mark ?? (
          <span className="min-w-0 truncate" dir="auto">
            {name}
          </span>
        )}
      </button>
      {off !== undefined && <Badge>{off}</Badge>}
      {sectorId === null && (
        <span className="flex-none text-xs text-ink-3 max-md:hidden">Todos os setores</span>
      )}
      {typeof sectorId === 'number' && <SectorBadge sectorId={sectorId} className="min-w-8 shrink" />}
      <span className="w-24 flex-none text-right text-xs text-ink-2 tabular-nums max-md:w-auto">
        {uses === 0 ? 'sem uso' : uses === 1 ? '1 conversa' : `${uses.toLocaleString('pt-BR')} conversas`}
      </span>
      {acts ? (
        <ActsMenu name={name} isOn={off === undefined} acts={acts} move={move} />
      ) : (
        <span className="w-7 flex-none" />
      )}
    </div>
  )
}

function ActsMenu({
  name,
  isOn,
  acts: { onEdit, add, onSwitch, onDelete },
  move,
}: {
  name: string
  isOn: boolean
  acts: RowActs
  move: ((step: -1 | 1) => void) | undefined
}) {
  return (
    <Menu
      trigger={<IconButton icon={Ellipsis} size="sm" label={`Ações: ${name}`} className="max-md:size-11" />}
    >
      <MenuItem icon={Pencil} onSelect={onEdit}>
        Editar
      </MenuItem>
      {add && (
        <MenuItem icon={Plus} onSelect={add.onAdd}>
          {add.words}
        </MenuItem>
      )}
      {move && (
        <>
          <MenuItem icon={ArrowUp} onSelect={() => move(-1)}>
            Mover para cima
          </MenuItem>
          <MenuItem icon={ArrowDown} onSelect={() => move(1)}>
            Mover para baixo
          </MenuItem>
        </>
      )}
      <MenuItem icon={Power} onSelect={onSwitch}>
        {isOn ? 'Desativar' : 'Ativar'}
      </MenuItem>
      {onDelete && (
        <MenuItem icon={Trash2} onSelect={onDelete}>
          Excluir
        </MenuItem>
      )}
    </Menu>
  )
}
