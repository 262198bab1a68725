import { CirclePause } from 'lucide-react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { toastRefusal } from '#web/conversations/mutations/conversation-mutations.ts'
import { useCan } from '#web/users/users.tsx'
import { dayAndTime } from './return-text.ts'
import { useResume } from './snooze-mutations.ts'

/** Under the header of a chat on hold: until when, and why, with the ways back. */
export function HoldStrip({
  conversation,
  until,
  onChange,
}: {
  conversation: Conversation
  until: string
  /** Opens 'Lembrar' again. */
  onChange: () => void
}) {
  const now = useNow(30_000)
  const may = useCan('snooze')
  const { mutateAsync, isPending } = useResume(conversation)
  const { snoozeReason } = conversation
  const told = `até ${dayAndTime(until, now)}`
  const resume = () =>
    mutateAsync(undefined).catch((error: Error) => toastRefusal('Erro ao retomar a conversa', error))
  return (
    <section
      aria-label="Em espera"
      className={[
        'flex min-h-9 flex-none items-center gap-2 border-b border-blue-line bg-blue-soft px-3 py-1 text-sm',
        'text-blue-text',
      ].join(' ')}
    >
      <CirclePause aria-hidden size={16} className="flex-none" />
      <p className="min-w-0 flex-1 truncate" title={snoozeReason}>
        <b className="font-semibold">Em espera</b> {told}
        {snoozeReason !== undefined && <span dir="auto">{` · “${snoozeReason}”`}</span>}
      </p>
      {may && (
        <>
          <Button size="sm" onClick={onChange}>
            Mudar
          </Button>
          <Button size="sm" isBusy={isPending} busyLabel="Retomando..." onClick={() => void resume()}>
            <span className="max-md:hidden">Retomar agora</span>
            <span className="md:hidden">Retomar</span>
          </Button>
        </>
      )}
    </section>
  )
}
