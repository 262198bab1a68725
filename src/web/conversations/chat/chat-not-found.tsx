import { MessageCircleOff } from 'lucide-react'
import { Link } from 'wouter'
import { Button } from '#web/ui/buttons/button.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'

/** Shown for a conversation that does not exist or is not visible to this person. */
export function ChatNotFound() {
  return (
    <section aria-label="Conversa" className="grid min-w-0 flex-1 place-content-center bg-thread">
      <EmptyState
        icon={MessageCircleOff}
        title="Conversa não encontrada"
        description="A conversa solicitada não existe ou foi removida."
        action={
          <Button asChild>
            <Link href="/">Voltar ao início</Link>
          </Button>
        }
      />
    </section>
  )
}
