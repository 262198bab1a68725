import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Redirect, useSearchParams } from 'wouter'
import { onContactChanged } from '#web/contacts/contacts.tsx'
import { hasPanes, useMediaQuery } from '#web/platform/browser/media-query.ts'
import { useMe } from '#web/users/users.tsx'
import { patchContact } from '#web/conversations/cache/live-patches.ts'
import { ConversationSkeleton } from './chat-skeleton.tsx'
import { useChatFallbacks } from './use-chat-fallbacks.ts'
import { ChatPane } from './chat-pane.tsx'
import { InboxPane } from '#web/conversations/list/inbox-pane.tsx'
import { NeighbourKeys } from '#web/conversations/list/neighbour-keys.tsx'

/** `/chat?conversation=`, or `?contact=&pendingCreation=true`: list, timeline and contact side by side. */
export function ChatScreen() {
  const me = useMe()
  const isBesideChat = useMediaQuery(hasPanes)
  const client = useQueryClient()
  useEffect(() => onContactChanged((card) => patchContact(client, card)), [client])
  const [params] = useSearchParams()
  const asked = params.get('conversation')
  const contact = params.get('pendingCreation') === 'true' ? params.get('contact') : null
  const id = idIn(asked)
  const parts = useChatFallbacks(id === undefined)
  if (asked === null && contact === null) return <Redirect to="/" replace />
  const contactId = idIn(contact)
  const isPending = asked === null && contactId !== undefined
  return (
    <div className="flex h-full min-h-0 min-w-0 flex-1">
      {isBesideChat && <InboxPane openId={id ?? 0} />}
      <NeighbourKeys openId={id ?? 0} />
      {id !== undefined ? (
        <ChatPane key={id} id={id} me={me} />
      ) : !parts ? (
        <ConversationSkeleton />
      ) : isPending ? (
        <parts.PendingChat
          key={`contact-${contactId}`}
          contactId={contactId}
          askedNumber={idIn(params.get('numero'))}
          me={me}
        />
      ) : (
        <parts.ChatNotFound />
      )}
    </div>
  )
}

function idIn(asked: string | null) {
  return asked !== null && /^[1-9]\d{0,9}$/.test(asked) ? Number(asked) : undefined
}
