-- Whoever looked at a conversation, or changed something of it, has not written in it.
DROP TRIGGER "people_of_message" ON "messages";--> statement-breakpoint
CREATE TRIGGER "people_of_message" AFTER INSERT OR UPDATE OF "conversation_id" ON "messages" FOR EACH ROW
  WHEN (NEW.sender_id IS NOT NULL AND NEW.message_type NOT IN ('view_tracking', 'event'))
  EXECUTE FUNCTION "note_conversation_people"();--> statement-breakpoint
-- Of earlier holders nothing else is left than these rows and the lines of what they did: who has such a line stays.
DELETE FROM "conversation_people" p USING "conversations" c
 WHERE c.id = p.conversation_id AND c.assigned_user_id IS DISTINCT FROM p.user_id
   AND EXISTS (SELECT FROM messages m WHERE m.conversation_id = p.conversation_id
                AND m.sender_id = p.user_id AND m.message_type = 'view_tracking')
   AND NOT EXISTS (SELECT FROM messages m WHERE m.conversation_id = p.conversation_id
                    AND m.sender_id = p.user_id AND m.message_type <> 'view_tracking')
   AND NOT EXISTS (SELECT FROM messages m JOIN users u ON u.id = p.user_id
                    WHERE m.conversation_id = p.conversation_id AND m.message_type = 'event'
                      AND m.metadata -> 'event' ->> 'to' = u.name);
