/** Why nothing notices that a place lets everything through, by its name without the line. */
const reasons: Readonly<Record<string, string>> = {
  'notifications/followers.ts mayRead': 'whom it is told; whoever reads of it is asked again',
  'notifications/live.ts mayRead': 'of mentions alone, which the test of the room pushes',
  'conversations/messages/mentions.ts mayRead': 'whom a note may mention, which nobody is told of',
  'automation/queue.ts servesQueue': 'whether anybody could take it, which clients are told',
  'conversations/automatic/queue-turns.ts servesQueue': 'among how many people a queue is worked off',
  'conversations/store/access.ts mayRead': 'asked after the lock, which has asked for the reach',
  'conversations/store/access.ts reachesAll': 'spares a query: without it less is seen',
  'conversations/assistant/help.ts expectOpen': 'asked again after the assistant has answered',
  'conversations/messages/notes.ts findReadable': 'asked again once the file of a note is stored',
  'conversations/messages/notes.ts expectOpen': 'asked again once the file of a note is stored',
  'conversations/messages/notes.ts mayReadLocked': 'asked after the lock, which has asked for the reach',
  'reports/team-stats.ts isInReach': 'of conversations that began today, which the test of reports has',
  'reports/team-stats.ts reachesAll': 'of conversations that began today, which the test of reports has',
  'conversations/outgoing/reply.ts findReadable': 'only of a send that the same person has stored before',
  'conversations/outgoing/start.ts reachOf': 'asked again of a conversation that came meanwhile',
  'conversations/routes/conversation-routes.ts recentConversationFor': 'the answer of an act that has asked',
  'conversations/routes/message-routes.ts recentConversationFor': 'the answer of an act that has asked',
  'conversations/acts/take-next.ts lockToTake': 'what it locks was chosen from the queues of the person',
  'conversations/live.ts reachOf': "one's own draft or read position",
  'platform/live/presence-live.ts reachesEverything': 'asked again of those who are at a chat',
}

/** @returns undefined for a place that must be noticed */
export const reasonUnseen = (place: string): string | undefined => reasons[place.replace(/:\d+/, '')]
