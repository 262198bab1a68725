import { MessageCircleOff } from 'lucide-react'
import { Link } from 'wouter'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { useNumbers } from '#web/numbers/numbers.tsx'

/**
 * Shown for a conversation that does not exist or is not visible to this person.
 * @param props.before how it was shown last, if it was
 */
export function ChatNotFound({ before }: { before?: Conversation | undefined }) {
  const { isKnown, find } = useNumbers()
  const isTaken = before !== undefined && isKnown && !find(before.instanceId)
  return (
    <section aria-label="Conversa" className="grid min-w-0 flex-1 place-content-center bg-thread">
      <EmptyState
        icon={MessageCircleOff}
        title={isTaken ? 'Você não atende mais este número' : 'Conversa não encontrada'}
        description={
          isTaken
            ? `A conversa com ${before.contact.name} continua com quem atende o número.`
            : 'A conversa solicitada não existe ou foi removida.'
        }
        action={
          <Button asChild>
            <Link href="/">Voltar ao início</Link>
          </Button>
        }
      />
    </section>
  )
}
