import { EyeOff, MessageCircleOff } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { lostDraft } from '#web/conversations/cache/patch-draft.ts'
import { readWritten } from '#web/conversations/drafts/local-drafts.ts'
import { readNoteDraft } from '#web/conversations/drafts/use-note-draft.ts'
import { usePendingSends } from '#web/conversations/sends/send-mutations.ts'
import { Button } from '#web/ui/buttons/button.tsx'
import { CopyButton } from '#web/ui/buttons/copy-button.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { useNumbers } from '#web/numbers/numbers.tsx'
import { useMe } from '#web/users/users.tsx'

/**
 * Shown for a conversation that does not exist or is not visible to this person.
 * @param props.before how this page showed it last, if it did: then what was written in it can be copied
 */
export function ChatNotFound({ before }: { before?: Conversation | undefined }) {
  const { isKnown, find } = useNumbers()
  const { id: userId, scope } = useMe()
  const [written] = useState(() => (before ? writtenIn(userId, before.id) : []))
  const refused = useRefusedSends(before?.id)
  const isTaken = before !== undefined && isKnown && !find(before.instanceId)
  // Whoever knows of everything loses only what is deleted.
  const isOutOfReach = before !== undefined && !isTaken && scope !== 'all'
  return (
    <section
      aria-label="Conversa"
      className="grid min-w-0 flex-1 place-content-center gap-3 overflow-y-auto bg-thread p-3"
    >
      <EmptyState
        role={before && 'status'}
        className="flex-none py-3"
        icon={isOutOfReach ? EyeOff : MessageCircleOff}
        title={
          isTaken
            ? 'Você não atende mais este número'
            : isOutOfReach
              ? 'Esta conversa saiu do seu alcance'
              : 'Conversa não encontrada'
        }
        description={
          isTaken
            ? `A conversa com ${before.contact.name} continua com quem atende o número.`
            : isOutOfReach
              ? 'As mensagens dela não aparecem mais para você.'
              : 'A conversa solicitada não existe ou foi removida.'
        }
        action={
          <Button asChild>
            <Link href="/">Voltar ao início</Link>
          </Button>
        }
      />
      {[...written, ...refused].map(({ key, label, text }) => (
        <div
          key={key}
          className="mx-auto grid w-full max-w-96 gap-1 rounded-card border border-line bg-surface px-3 py-2"
        >
          <p className="flex items-center justify-between gap-2 text-xs text-ink-2">
            {label}
            <CopyButton what="texto" text={text} />
          </p>
          <p dir="auto" className="text-sm [overflow-wrap:anywhere] whitespace-pre-wrap">
            {text}
          </p>
        </div>
      ))}
    </section>
  )
}

interface Words {
  key: string
  label: string
  text: string
}

const ofReply = 'Sua resposta, que não foi enviada'
const ofNote = 'Sua nota, que não foi salva'

/** What was half written, wherever it is kept: the server has no drafts of it for this person any longer. */
function writtenIn(userId: number, id: number): Words[] {
  const reply = readWritten(userId, id) ?? lostDraft(id)
  return [
    { key: 'reply', label: ofReply, text: reply?.content.trim() ?? '' },
    { key: 'note', label: ofNote, text: readNoteDraft(userId, id)?.content.trim() ?? '' },
  ].filter(({ text }) => text !== '')
}

/** What was sent as the conversation was taken away, and refused: there is no chat any more that shows it. */
function useRefusedSends(conversationId = 0): Words[] {
  return usePendingSends({ conversationId })
    .filter(({ error, content }) => error !== null && content !== '')
    .map(({ clientMessageId, isNote, content }) => ({
      key: clientMessageId,
      label: isNote ? ofNote : ofReply,
      text: content,
    }))
}
