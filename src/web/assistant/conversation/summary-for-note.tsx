import { Sparkles } from 'lucide-react'
import { Button } from '#web/ui/buttons/button.tsx'
import { fetchSummary } from './conversation-queries.ts'
import { useAsked } from './use-asked.ts'

/** Puts a summary into the note of a transfer, where it is read and changed before it is saved. */
export function SummaryForNote({
  conversationId,
  onText,
}: {
  conversationId: number
  onText: (text: string) => void
}) {
  const { error, isAsking, ask, cancel } = useAsked(async (signal) => {
    const { lines } = await fetchSummary(conversationId, signal)
    onText(lines.map((line) => `- ${line}`).join('\n'))
    return lines
  }, false)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button size="sm" icon={Sparkles} isBusy={isAsking} busyLabel="Resumindo..." onClick={ask}>
        Resumir na nota
      </Button>
      {isAsking && (
        <Button size="sm" variant="ghost" onClick={cancel}>
          Cancelar
        </Button>
      )}
      {error !== undefined && (
        <p role="alert" className="text-xs text-red-text">
          {error}
        </p>
      )}
    </div>
  )
}
