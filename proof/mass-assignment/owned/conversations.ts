import { act, own, type Owned } from './owned.ts'

/** A message in a conversation. */
const written =
  '+messages conversations.last_activity_at conversations.last_message_id conversations.message_count ' +
  'conversations.version'

/** A message of ours, which is to be sent. */
const sent = `${written} +outbox`

/** The client no longer waits, and what he wrote is read. */
const answered = 'conversations.receipt_message_id conversations.waiting_for conversations.waiting_since'

/** It has another operator, or none, with a line in its timeline. */
const assigned =
  '+messages conversations.assigned_user_id conversations.status conversations.sub_status ' +
  'conversations.version queue_pending_conversations.processed_at'

/** Conversations, their messages, and what is sent. */
export const conversations: Readonly<Record<string, Owned>> = {
  'POST /api/conversations/{id}/messages/{messageId}/forward (conversation)': own(
    'clientMessageId to',
    sent,
    answered,
    '+events',
  ),
  'POST /api/conversations/{id}/messages/{messageId}/forward (contact)': own(
    'clientMessageId to',
    sent,
    act,
    '+conversations',
  ),
  'POST /api/conversations/{id}/messages/{messageId}/undo': own(
    '',
    act,
    '+undone_sends -messages -outbox conversations.last_message_id conversations.message_count',
    'conversations.version conversations.waiting_since',
  ),
  'POST /api/conversations/{id}/messages': own(
    'clientMessageId content quotedMessageId',
    sent,
    assigned,
    answered,
    act,
  ),
  'POST /api/conversations/{id}/messages/{messageId}/retry': own(
    '',
    '+events messages.delivery_status messages.version outbox.state',
  ),
  'PUT /api/conversations/{id}/messages/{messageId}/reaction': own(
    'emoji',
    '+events +message_reactions message_reactions.reacted_at +pending_updates +webhook_inbox',
    'conversations.version',
    'messages.version webhook_inbox.processed_at',
  ),
  'PUT /api/conversations/{id}/messages/{messageId}': own(
    'content',
    act,
    'messages.content messages.version',
  ),
  'DELETE /api/conversations/{id}/messages/{messageId}': own(
    '',
    act,
    'conversations.version conversations.waiting_since messages.deleted_at messages.delivery_status',
    'messages.version outbox.state',
  ),
  'PUT /api/conversations/{id}/draft': own('content quotedMessageId', '+conversation_drafts +events'),
  'POST /api/conversations/{id}/view': own('action', '+events +messages'),
  'PUT /api/conversations/{id}/read': own('lastMessageId', '+conversation_reads +events'),
  'DELETE /api/conversations/{id}/read': own('', '+conversation_reads +events'),
  'PATCH /api/conversations/{id}/toggle-auto-close': own(
    'disableAutoClose',
    act,
    'conversations.disable_auto_close conversations.version',
  ),
  'PUT /api/conversations/{id}/assistant': own('isOff', act, '+assistant_turns +messages'),
  'POST /api/conversations/{id}/assistant/summary': own(''),
  'POST /api/conversations/{id}/assistant/suggestion': own(''),
  'PATCH /api/conversations/{id}/priority': own(
    'priority',
    act,
    'conversations.priority conversations.version',
  ),
  'POST /api/conversations/{id}/transfer': own(
    'holderId newOperatorId note version',
    assigned,
    act,
    '+outbox conversations.last_message_id conversations.message_count',
  ),
  'POST /api/conversations/take-next': own('', assigned, act),
  'PATCH /api/conversations/{id}/assign-operator (self)': own('holderId operatorId version', assigned, act),
  'PATCH /api/conversations/{id}/assign-operator (other)': own('holderId operatorId version', assigned, act),
  'POST /api/conversations/hand-over (queue)': own(
    'note to',
    assigned,
    act,
    '+queue_pending_conversations conversations.waiting_for',
  ),
  'POST /api/conversations/hand-over (other)': own(
    'note to',
    act,
    '+messages +outbox conversations.assigned_user_id conversations.last_message_id',
    'conversations.message_count conversations.version',
  ),
  'POST /api/conversations/{id}/finalize': own(
    'holderId notes version',
    act,
    '+messages +outbox conversations.completed_at conversations.last_message_id',
    'conversations.message_count conversations.notes conversations.status conversations.version',
    'conversations.waiting_for conversations.waiting_since queue_pending_conversations.processed_at',
  ),
  'DELETE /api/conversations/{open}': own('', act, '+forgotten_messages -conversations -messages'),
  'DELETE /api/conversations/{archived}': own('', act, '+forgotten_messages -conversations -messages'),
  'POST /api/contacts/{id}/start-conversation (existing)': own('instanceId'),
  'POST /api/contacts/{id}/start-conversation (new)': own('instanceId'),
  'POST /api/contacts/{id}/send-message': own(
    'clientMessageId content instanceId',
    sent,
    act,
    '+conversations',
  ),
  'POST /api/media/upload': own(
    'caption clientMessageId contactId conversationId height instanceId isVoice quotedMessageId ' +
      'seconds width',
    sent,
    assigned,
    answered,
    act,
    '+files files.message_id',
  ),
}
