import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent } from '#shared/live-events.ts'
import { applyAssistantEvent } from '#web/assistant/live.ts'
import { applyGatewayEvent } from '#web/gateway/live.ts'
import { applyNoticeEvent } from '#web/shell/notices/live.ts'
import { applySettingsEvent } from '#web/settings/live.ts'
import { applyUserEvent } from '#web/users/live.ts'

/** Patches what the rooms have cached with a pushed event. Conversations listen by themselves. */
export function applyRoomEvents(client: QueryClient, event: LiveEvent): void {
  applyGatewayEvent(client, event)
  applyUserEvent(client, event)
  applySettingsEvent(client, event)
  applyNoticeEvent(client, event)
  applyAssistantEvent(client, event)
}
