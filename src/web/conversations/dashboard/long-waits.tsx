import * as z from 'zod/mini'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { ChoiceChip } from '#web/ui/fields/filter-chip.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { ListedConversations } from './listed-conversations.tsx'
import { waitingOver } from './team.ts'

/** In minutes. */
const waits = ['5', '15', '30', '60', '240', '1440'] as const
type Wait = (typeof waits)[number]

const waitTexts: Record<Wait, string> = {
  '5': '5 minutos',
  '15': '15 minutos',
  '30': '30 minutos',
  '60': '1 hora',
  '240': '4 horas',
  '1440': '1 dia',
}

/** What the dashboard keeps of it in the URL. */
export const longWaitFields = { waitOver: z.optional(z.enum(waits)) }

/** Chooses from how long a wait on it is shown. */
export function WaitChip({
  value,
  onChange,
}: {
  value: Wait | undefined
  onChange: (value: Wait | undefined) => void
}) {
  return (
    <ChoiceChip
      label="Esperando há mais de…"
      shown={value && `Esperando há mais de ${waitTexts[value]}`}
      value={value ?? ''}
      options={waits.map((one) => ({ value: one, label: waitTexts[one] }))}
      anything="Mostrar a equipe"
      onChoose={(chosen) => onChange(waits.find((one) => one === chosen))}
      onClear={() => onChange(undefined)}
    />
  )
}

/** The clients who have waited longer than that, whoever they wait for, the longest wait first. */
export function LongWaits({ open, over }: { open: readonly Conversation[]; over: Wait }) {
  const nowMs = useNow(30_000)
  const found = waitingOver(open, Number(over), nowMs)
  if (found.length === 0) return <EmptyState title={`Ninguém espera há mais de ${waitTexts[over]}`} />
  return (
    <ListedConversations
      key={over}
      label={`Esperando há mais de ${waitTexts[over]}`}
      conversations={found}
      nowMs={nowMs}
      hasHolders
    />
  )
}
