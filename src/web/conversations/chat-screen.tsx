import { Redirect, useSearchParams } from 'wouter'
import { useMe } from '#web/users/users.tsx'
import { ChatPane } from './chat/chat-pane.tsx'
import { ChatNotFound } from './chat/chat-not-found.tsx'
import { ConversationPane } from './chat/conversation-pane.tsx'

/** `/chat?conversation=`: list, timeline and contact side by side. */
export function ChatScreen() {
  const me = useMe()
  const [params] = useSearchParams()
  const asked = params.get('conversation')
  if (asked === null) return <Redirect to="/" replace />
  const id = /^[1-9]\d{0,9}$/.test(asked) ? Number(asked) : undefined
  return (
    <div className="flex h-full min-h-0 min-w-0 flex-1">
      <ConversationPane selectedId={id ?? 0} userId={me.id} />
      {id === undefined ? <ChatNotFound /> : <ChatPane key={id} id={id} me={me} />}
    </div>
  )
}
