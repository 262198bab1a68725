import { ChevronDown } from 'lucide-react'
import type { CSSProperties } from 'react'
import { cn } from '#web/ui/cn.ts'
import { SectorDot } from './sector-dot.tsx'
import { useSectors } from './use-sectors.ts'

const none = 'Sem setor'

/** The colour of a conversation's sector, at the corner of its avatar; nothing where there are no sectors. */
export function SectorSquare({ sectorId, className }: { sectorId: number | null; className?: string }) {
  const { areAny, find } = useSectors()
  const sector = find(sectorId)
  if (!areAny && !sector) return null
  const label = sector ? `Setor ${sector.name}` : none
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      style={sector && ({ '--cat': sector.color } as CSSProperties)}
      className={cn(
        'size-3 rounded-[3px]',
        sector ? 'cat-dot border-2 border-surface' : 'border border-dashed border-ink-2 bg-surface',
        className,
      )}
    />
  )
}

/** The sector of a conversation with its name; nothing where there are no sectors. */
export function SectorBadge({
  sectorId,
  opensMenu = false,
  className,
}: {
  sectorId: number | null
  opensMenu?: boolean
  className?: string
}) {
  const { areAny, areKnown, find } = useSectors()
  const sector = find(sectorId)
  // Its place, so that nothing moves.
  if (!areKnown) return <span aria-hidden className="h-5 w-24" />
  if (!areAny && !sector) return null
  return (
    <span
      title={sector ? `Setor ${sector.name}` : none}
      className={cn(
        'inline-flex h-5 max-w-44 shrink-0 items-center gap-1 rounded-tag border border-line px-[7px]',
        'text-xs font-medium text-ink',
        className,
      )}
    >
      <SectorDot color={sector?.color ?? null} className="size-2 rounded-[2px]" />
      <span className="truncate">{sector?.name ?? none}</span>
      {opensMenu && <ChevronDown aria-hidden size={12} className="flex-none" />}
    </span>
  )
}

/** 'Comercial #1' or 'Sem setor #1'; 'FILA #1' where there are no sectors. */
export function QueueText({ sectorId, position }: { sectorId: number | null; position: number }) {
  const { areAny, find } = useSectors()
  return `${find(sectorId)?.name ?? (areAny ? none : 'FILA')} #${position}`
}
