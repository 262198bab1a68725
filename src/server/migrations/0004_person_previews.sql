-- Lists show the last message that no automatic text is.
UPDATE "conversations" v SET "last_message_id" = (
  SELECT m."id" FROM "messages" m
   WHERE m."conversation_id" = v."id" AND coalesce(m."metadata" ->> 'origin', '') <> 'automatic'
     AND m."message_type" NOT IN
       ('event', 'view_tracking', 'queue_notification', 'queue_position', 'queue_welcome')
   ORDER BY m."sort_at" DESC, m."id" DESC LIMIT 1)
  FROM "messages" l
 WHERE l."id" = v."last_message_id" AND l."metadata" ->> 'origin' = 'automatic';
