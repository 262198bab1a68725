import { useInfiniteQuery } from '@tanstack/react-query'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { EarlierConversations } from './earlier-conversations.tsx'
import { NotesSection } from './notes-section.tsx'
import { MediaSection } from './media-section.tsx'

/** What the panel of a chat has below the facts; the files come after the list that would move them. */
export function ChatSections({ id, contactId }: Pick<Conversation, 'id' | 'contactId'>) {
  const { isPending } = useInfiniteQuery({ ...conversationQueries.history(contactId), staleTime: 30_000 })
  return (
    <>
      <NotesSection conversationId={id} />
      <EarlierConversations contactId={contactId} currentId={id} />
      {!isPending && <MediaSection title="Mídia da conversa" of={{ conversationId: id }} />}
    </>
  )
}
