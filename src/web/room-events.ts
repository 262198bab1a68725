import type { QueryClient } from '@tanstack/react-query'
import type { LiveEvent, LiveEventOf, LiveEventType } from '#shared/live-events.ts'
import { refetchAssistant, refetchAssistants } from '#web/assistant/live.ts'
import { refetchContact } from '#web/contacts/live.ts'
import { alertAbout } from '#web/conversations/alerts/live-alerts.ts'
import {
  archiveKeys,
  refetchArchive,
  refetchArchivedMessages,
  refetchArchiveOfCompleted,
} from '#web/conversations/archive/live.ts'
import {
  refetchFiles,
  refetchFilesOfContact,
  refetchFilesOfMessage,
} from '#web/conversations/cache/live-files.ts'
import { refetchNotes, refetchNotesOf } from '#web/conversations/cache/live-notes.ts'
import {
  hideConversation,
  refetchLists,
  refetchStats,
  refetchTimeline,
  showConversation,
  showDraft,
  showMessage,
  showRead,
  showStats,
} from '#web/conversations/cache/live-patches.ts'
import { conversationQueries } from '#web/conversations/cache/queries.ts'
import { refetchScheduled } from '#web/conversations/scheduled/live.ts'
import { repeatFrames } from '#web/conversations/presence/repeated-frames.ts'
import { refetchGatewayStatus, refetchManagedNumbers, showGatewayNews } from '#web/gateway/live.ts'
import {
  announceMention,
  announceNearEnd,
  announceReturn,
  notificationKeys,
  refetchNotifications,
} from '#web/notifications/live.ts'
import { setServerClock } from '#web/platform/live/server-clock.ts'
import { refetchReasons } from '#web/reasons/live.ts'
import { refetchTags } from '#web/tags/live.ts'
import { refetchViews } from '#web/views/live.ts'
import { refetchReplies } from '#web/quick-replies/live.ts'
import { refetchMacros } from '#web/macros/live.ts'
import { refetchSettings } from '#web/settings/live.ts'
import { refetchTargets } from '#web/settings/sla/live.ts'
import { refetchSectors } from '#web/sectors/live.ts'
import { onPushed as onPushedOfRooms } from './rooms/live.ts'
import { refetchNotices } from '#web/shell/notices/live.ts'
import { noticeWork, refetchMe, showPresence } from '#web/users/live.ts'
import { forgetPresence } from '#web/users/presence/colleagues.ts'
import { showChatPresence } from '#web/users/presence/presence.ts'

type Act<Type extends LiveEventType> = (event: LiveEventOf<Type>, client: QueryClient) => void

const nothing: readonly never[] = []

/** With other rights or numbers, what was fetched may be no longer visible, and none of it may be kept. */
const forgetConversations = (_event: LiveEvent, client: QueryClient) => {
  for (const { all } of [conversationQueries, archiveKeys, notificationKeys])
    void client.resetQueries({ queryKey: all })
}

/**
 * What is done when an event is pushed, in this order. Nothing else listens to events: an event's effects are
 * all here, or in the `live.ts` of the room that alone acts on it. What is not on the screen is only marked
 * as stale.
 */
const onPushed = {
  ...onPushedOfRooms,
  hello: [setServerClock, showGatewayNews, repeatFrames],
  // `platform/live` has replayed what was missed.
  resumed: nothing,
  // `platform/live` has everything fetched again.
  resync: nothing,
  new_conversation_with_sound: [alertAbout, showConversation],
  new_conversation: [alertAbout, showConversation],
  new_conversation_notification: [alertAbout, showConversation],
  customer_message_notification: [alertAbout, showMessage, refetchFilesOfMessage],
  message_received: [showChatPresence, alertAbout, showMessage, refetchFilesOfMessage],
  new_message: [
    showChatPresence,
    refetchAssistant,
    alertAbout,
    showMessage,
    refetchFilesOfMessage,
    refetchNotes,
    refetchArchivedMessages,
    noticeWork,
  ],
  conversation_updated: [
    alertAbout,
    showConversation,
    refetchContact,
    refetchFilesOfContact,
    refetchArchiveOfCompleted,
  ],
  conversation_returned: [alertAbout, showConversation, announceReturn],
  sla_near: [alertAbout, showConversation, announceNearEnd],
  sla_changed: [refetchTargets],
  conversation_transferred: [alertAbout, showConversation],
  conversation_removed: [hideConversation, refetchArchive, refetchScheduled],
  timeline_changed: [refetchTimeline, refetchFiles, refetchNotesOf],
  conversation_read: [showRead],
  draft_changed: [showDraft],
  scheduled_changed: [refetchScheduled],
  queue_changed: [refetchLists],
  stats_update: [showStats],
  permissions_changed: [refetchMe, forgetPresence, forgetConversations],
  // The first one has what shows them loaded.
  sectors_changed: [refetchSectors, refetchMe, refetchReasons, refetchTags],
  // The first one has their filters shown.
  reasons_changed: [refetchMe, refetchReasons],
  // The first one has what shows them loaded.
  tags_changed: [refetchMe, refetchTags],
  views_changed: [refetchMe, refetchViews],
  macros_changed: [refetchMe, refetchMacros],
  quick_replies_changed: [refetchReplies],
  // The first one has the time zone.
  settings_changed: [
    refetchMe,
    refetchSettings,
    refetchAssistants,
    refetchManagedNumbers,
    refetchSectors,
    refetchReasons,
    refetchTags,
  ],
  notices_changed: [refetchNotices],
  mentioned: [alertAbout, announceMention, refetchNotifications],
  notifications_changed: [refetchNotifications],
  gateway_state: [showGatewayNews, refetchGatewayStatus],
  // The figures count who is online.
  presence: [showPresence, refetchStats],
  viewing: [showChatPresence],
  typing: [showChatPresence],
} satisfies { [Type in LiveEventType]: readonly Act<Type>[] }

/** Does what a pushed event has done. An error in one effect does not keep the others from taking place. */
export function applyLiveEvent(client: QueryClient, event: LiveEvent): void {
  // A later version of the server may push what is not known here.
  const acts: readonly Act<never>[] | undefined = onPushed[event.type]
  for (const act of acts ?? []) {
    try {
      act(event as never, client)
    } catch (error) {
      reportError(error)
    }
  }
}
