import { ArrowDown, ArrowUp, Ellipsis, GripVertical, Pencil, Plus, Power, Trash2 } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { ManagedReason } from '#shared/reasons/managed-reasons.ts'
import { SectorBadge } from '#web/sectors/sectors.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'

export interface RowActs {
  onEdit: () => void
  /** Absent: it is within another one already. */
  onAdd: (() => void) | undefined
  onSwitch: (isActive: boolean) => void
  /** Absent: it was used, or has others within it. */
  onDelete: (() => void) | undefined
  /** Up (-1) or down; absent: it is the only one. */
  move: ((step: -1 | 1) => void) | undefined
}

/** A reason in the list: of whom it is, how many conversations ended with it, and what is done with it. */
export function ReasonRow({
  reason: { name, parentId, sectorId, isActive, isSwitchedOn, uses },
  showsSector,
  acts: { onEdit, onAdd, onSwitch, onDelete, move },
}: {
  reason: ManagedReason
  showsSector: boolean
  acts: RowActs
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
        parentId === null ? 'pl-2' : 'pl-8',
      )}
    >
      <GripVertical
        size={14}
        aria-hidden
        className={cn('flex-none text-ink-3', move ? 'cursor-grab max-md:hidden' : 'invisible max-md:hidden')}
      />
      <button
        type="button"
        onClick={onEdit}
        onKeyDown={onKeyDown}
        {...(move && { 'aria-keyshortcuts': 'Alt+ArrowUp Alt+ArrowDown' })}
        title={name}
        className={cn(
          'min-w-0 flex-1 truncate rounded-control px-1 py-1 text-left max-md:min-h-11',
          parentId === null && 'font-medium',
          !isActive && 'text-ink-3',
        )}
        dir="auto"
      >
        {name}
      </button>
      {!isSwitchedOn && <Badge>Inativo</Badge>}
      {showsSector &&
        (sectorId === null ? (
          <span className="flex-none text-xs text-ink-3 max-md:hidden">Todos os setores</span>
        ) : (
          <SectorBadge sectorId={sectorId} className="min-w-8 shrink" />
        ))}
      <span className="w-24 flex-none text-right text-xs text-ink-2 tabular-nums max-md:w-auto">
        {uses === 0 ? 'sem uso' : uses === 1 ? '1 conversa' : `${uses.toLocaleString('pt-BR')} conversas`}
      </span>
      <Menu
        trigger={<IconButton icon={Ellipsis} size="sm" label={`Ações: ${name}`} className="max-md:size-11" />}
      >
        <MenuItem icon={Pencil} onSelect={onEdit}>
          Editar
        </MenuItem>
        {onAdd && (
          <MenuItem icon={Plus} onSelect={onAdd}>
            Novo motivo dentro
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
        <MenuItem icon={Power} onSelect={() => onSwitch(!isSwitchedOn)}>
          {isSwitchedOn ? 'Desativar' : 'Ativar'}
        </MenuItem>
        {onDelete && (
          <MenuItem icon={Trash2} onSelect={onDelete}>
            Excluir
          </MenuItem>
        )}
      </Menu>
    </div>
  )
}
