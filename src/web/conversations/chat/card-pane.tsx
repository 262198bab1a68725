import { UserRoundPlus } from 'lucide-react'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { unknownContact } from '#shared/text/text.ts'
import { useNow } from '#web/platform/live/server-clock.ts'
import { useSectorParts } from '#web/conversations/rows/use-sector-parts.ts'
import { Avatar } from '#web/ui/badges/avatar.tsx'
import { Button } from '#web/ui/buttons/button.tsx'
import { Waiting } from '#web/ui/states/waiting.tsx'
import { toast } from '#web/ui/states/toast.ts'
import { useCan, useMe } from '#web/users/users.tsx'
import { useAssign } from '#web/conversations/mutations/conversation-mutations.ts'
import { minutesSince } from '#web/conversations/rows/minutes-since.ts'

/** A conversation that waits in a queue of the person's, whose messages are shown once they take it. */
export function CardPane({ conversation }: { conversation: Conversation }) {
  const { contact, waitingSince } = conversation
  const name = contact.name || unknownContact
  const { id: userId } = useMe()
  const sectors = useSectorParts()
  const mayTake = useCan('take')
  const { mutateAsync, isPending } = useAssign(conversation)
  const nowMs = useNow(30_000)
  return (
    <section
      aria-label={`Conversa com ${name}`}
      className="grid min-w-0 flex-1 place-content-center justify-items-center gap-3 bg-thread p-6"
    >
      <Avatar name={name} src={contact.avatarUrl} size={40} />
      <h1 className="max-w-80 truncate text-base font-semibold" dir="auto">
        {name}
      </h1>
      <div className="flex items-center gap-2">
        {sectors && <sectors.SectorBadge sectorId={conversation.sectorId} />}
        {waitingSince && <Waiting isLong minutes={minutesSince(waitingSince, nowMs)} />}
      </div>
      <p className="max-w-80 text-center text-sm text-ink-2">
        Espera na fila do seu setor. As mensagens aparecem quando você assumir.
      </p>
      {mayTake && (
        <Button
          variant="primary"
          icon={UserRoundPlus}
          isBusy={isPending}
          onClick={() =>
            void mutateAsync(userId).catch((error: Error) =>
              toast({ tone: 'error', title: 'Não foi possível assumir', description: error.message }),
            )
          }
        >
          Assumir
        </Button>
      )}
    </section>
  )
}
