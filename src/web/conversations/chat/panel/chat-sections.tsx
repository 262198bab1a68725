import { createElement } from 'react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Conversation } from '#shared/conversations/conversations.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { followingQuery, useFollowParts } from '#web/conversations/chat/header/following-query.ts'
import { partInPlace } from '#web/platform/loading/in-place.tsx'
import { EarlierConversations } from './earlier-conversations.tsx'
import { MediaSection } from './media-section.tsx'
import { notesQuery } from './notes-query.ts'

const useNotesSection = partInPlace(async () => (await import('./notes-section.tsx')).NotesSection)

/** What the panel of a chat has below the facts; the files come after the list that would move them. */
export function ChatSections({ id, contactId, status }: Pick<Conversation, 'id' | 'contactId' | 'status'>) {
  const { isPending } = useInfiniteQuery({ ...conversationQueries.history(contactId), staleTime: 30_000 })
  const notes = useQuery(notesQuery(id))
  // Most conversations have none: nothing announces what will mostly not come.
  const hasNotes = notes.data ? notes.data.total > 0 : notes.isError
  const notesSection = useNotesSection(hasNotes)
  const isFollowed = useQuery({ ...followingQuery(id), enabled: status !== 'completed' }).data?.isFollowed
  const following = useFollowParts(isFollowed ?? false)
  return (
    <>
      {following && createElement(following.FollowingSection, { conversationId: id })}
      {notesSection && createElement(notesSection, { conversationId: id })}
      <EarlierConversations contactId={contactId} currentId={id} />
      {!isPending && <MediaSection title="Mídia da conversa" of={{ conversationId: id }} />}
    </>
  )
}
