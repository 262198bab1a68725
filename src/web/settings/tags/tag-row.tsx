import { ArrowDown, ArrowUp, Ellipsis, GripVertical, Pencil, Power, Trash2 } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { ManagedTag } from '#shared/tags/managed-tags.ts'
import { SectorBadge } from '#web/sectors/sectors.tsx'
import { Badge } from '#web/ui/badges/badge.tsx'
import { CategoryBadge } from '#web/ui/badges/category-badge.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { cn } from '#web/ui/cn.ts'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'

/** A tag in the list: whose it is, how many conversations have it, and what is done with it. */
export function TagRow({
  tag: { name, color, sectorId, isActive, uses, isChangeable },
  showsSector,
  onEdit,
  onSwitch,
  onDelete,
  move,
}: {
  tag: ManagedTag
  showsSector: boolean
  onEdit: () => void
  onSwitch: () => void
  onDelete: () => void
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
    <div className="flex min-h-11 items-center gap-2 py-1 pr-2 pl-2 text-sm hover:bg-hover">
      <GripVertical
        size={14}
        aria-hidden
        className={cn('flex-none text-ink-3 max-md:hidden', move ? 'cursor-grab' : 'invisible')}
      />
      <button
        type="button"
        onClick={onEdit}
        onKeyDown={onKeyDown}
        disabled={!isChangeable}
        {...(move && { 'aria-keyshortcuts': 'Alt+ArrowUp Alt+ArrowDown' })}
        className="flex min-w-0 flex-1 items-center rounded-control px-1 py-1 text-left max-md:min-h-11"
      >
        <CategoryBadge color={color} className="shrink">
          {name}
        </CategoryBadge>
      </button>
      {!isActive && <Badge>Inativa</Badge>}
      {showsSector &&
        (sectorId === null ? (
          <span className="flex-none text-xs text-ink-3 max-md:hidden">Todos os setores</span>
        ) : (
          <SectorBadge sectorId={sectorId} className="min-w-8 shrink" />
        ))}
      <span className="w-24 flex-none text-right text-xs text-ink-2 tabular-nums max-md:w-auto">
        {uses === 0 ? 'sem uso' : uses === 1 ? '1 conversa' : `${uses.toLocaleString('pt-BR')} conversas`}
      </span>
      {isChangeable ? (
        <Menu
          trigger={
            <IconButton icon={Ellipsis} size="sm" label={`Ações: ${name}`} className="max-md:size-11" />
          }
        >
          <MenuItem icon={Pencil} onSelect={onEdit}>
            Editar
          </MenuItem>
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
            {isActive ? 'Desativar' : 'Ativar'}
          </MenuItem>
          {uses === 0 && (
            <MenuItem icon={Trash2} onSelect={onDelete}>
              Excluir
            </MenuItem>
          )}
        </Menu>
      ) : (
        <span className="w-7 flex-none" />
      )}
    </div>
  )
}
