// What several calls change: `table.column`, `+table` for new rows, `-table` for deleted ones.

/** Every act of a person is recorded and pushed. */
export const recordedAndPushed = '+audit_logs +events'

/** A message of ours in a conversation, which is to be sent. */
export const sent =
  '+messages +outbox +conversation_people conversations.last_activity_at ' +
  'conversations.last_message_id ' +
  'conversations.message_count conversations.version'

/** The client no longer waits, and what they wrote is read. */
export const answered =
  'conversations.auto_close_from conversations.receipt_message_id conversations.waiting_for ' +
  'conversations.waiting_since'

/** It has another operator, or none, with a line in its timeline. */
export const assigned =
  '+messages +conversation_people conversations.assigned_user_id ' +
  'conversations.auto_close_from conversations.status conversations.sub_status ' +
  'conversations.version queue_pending_conversations.processed_at'
