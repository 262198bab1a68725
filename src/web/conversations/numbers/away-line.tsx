import { useQueryClient } from '@tanstack/react-query'
import { hindranceIn, waitText } from '#shared/text/text.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { useGatewayNews } from '#web/gateway/gateway.tsx'

/** Below a message that waits because its number is away, while others go on. */
export function AwayLine({ conversationId }: { conversationId: number }) {
  const away = useGatewayNews()?.away
  const shown = useQueryClient().getQueryData(conversationQueries.one(conversationId).queryKey)
  const own = away?.find(({ id }) => id === shown?.instanceId)
  if (!own) return null
  return <p className="mx-1 mt-1 text-xs text-ink-2">{waitText(hindranceIn(own.state))}</p>
}
