import { Check, CircleAlert, LoaderCircle } from 'lucide-react'
import type { Backup } from '#shared/maintenance/maintenance.ts'
import { Badge } from '#web/ui/badges/badge.tsx'

const looks = {
  processing: { tone: 'accent', icon: LoaderCircle, text: 'Em andamento' },
  completed: { tone: 'green', icon: Check, text: 'Concluído' },
  failed: { tone: 'red', icon: CircleAlert, text: 'Falhou' },
} as const

/** @see specification §3 Status */
export function StatusBadge({ status }: { status: Backup['status'] }) {
  const { tone, icon, text } = looks[status]
  return (
    <Badge tone={tone} icon={icon}>
      {text}
    </Badge>
  )
}
